import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FlaskConical } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useFaults } from '../fault-store.ts'
import { formatList } from '../format/list.ts'
import { useStatus } from '../status-store.ts'
import styles from './sandbox-banner.module.css'

/** The permanent mark of the sandbox: from the trust set in use, and from nothing else. */
export function SandboxBanner() {
  const sandbox = useStatus((state) => state.status?.service.trust === 'sandbox')
  const selfTest = useFaults((state) => state.on.length)
  const routes = useFaults((state) => state.routes?.filter(({ fault }) => fault !== null).length ?? 0)
  const wallet = useFaults((state) => state.wallet !== null)
  // Dialogs open below the mark: nothing ever covers it.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', sandbox)
  }, [sandbox])
  if (!sandbox) return null
  return (
    <aside className={styles.strip} aria-label={t`Demo mode`}>
      <span className={styles.word}>
        <Trans>
          <FlaskConical size={14} strokeWidth={2} aria-hidden />
          Demo mode
        </Trans>
      </span>
      <span className={styles.says}>
        <Trans>Simulated models, no real money.</Trans>
      </span>
      {(selfTest + routes > 0 || wallet) && (
        <a className={styles.selfTest} href={routes > 0 || wallet ? '#/settings' : '#/privacy'}>
          {whatIsOn(selfTest, routes, wallet)}
        </a>
      )}
    </aside>
  )
}

function whatIsOn(selfTest: number, routes: number, wallet: boolean): string {
  const told = [
    ...(routes > 0 ? [plural(routes, { one: '# route', other: '# routes' })] : []),
    ...(wallet ? [t`wallet`] : []),
  ]
  const all = formatList([...told, selfTest > 0 && t`${selfTest} in verification`])
  if (told.length > 0) return t`Simulated faults: ${all}`
  return plural(selfTest, { one: '# simulated fault is on', other: '# simulated faults are on' })
}

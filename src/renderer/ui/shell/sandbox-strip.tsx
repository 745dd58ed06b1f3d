import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FlaskConical } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useFaults } from '../fault-store.ts'
import { formatList } from '../format/list.ts'
import { useStatus } from '../status-store.ts'
import styles from './sandbox-strip.module.css'

/** The permanent mark of the sandbox: from the trust set in use, and from nothing else. */
export function SandboxStrip() {
  const sandbox = useStatus((state) => state.status?.service.trust === 'sandbox')
  const drill = useFaults((state) => state.on.length)
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
      {(drill + routes > 0 || wallet) && (
        <a className={styles.drill} href={routes > 0 || wallet ? '#/settings' : '#/privacy'}>
          {whatIsOn(drill, routes, wallet)}
        </a>
      )}
    </aside>
  )
}

function whatIsOn(drill: number, routes: number, wallet: boolean): string {
  const told = [
    ...(routes > 0 ? [plural(routes, { one: '# route', other: '# routes' })] : []),
    ...(wallet ? [t`wallet`] : []),
  ]
  const all = formatList([...told, drill > 0 && t`${drill} in verification`])
  if (told.length > 0) return t`Simulated faults: ${all}`
  return plural(drill, { one: '# simulated fault is on', other: '# simulated faults are on' })
}

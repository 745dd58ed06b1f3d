import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FlaskConical } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useFaults } from '../fault-store.ts'
import { formatList } from '../format/list.ts'
import { useStatus } from '../status-store.ts'
import styles from './demo-mark.module.css'

/** Marks demo mode in every view. It depends on the trust set in use and on nothing else. */
export function DemoMark() {
  const sandbox = useStatus((state) => state.status?.service.trust === 'sandbox')
  const selfTest = useFaults((state) => state.on.length)
  const routes = useFaults((state) => state.routes?.filter(({ fault }) => fault !== null).length ?? 0)
  const wallet = useFaults((state) => state.wallet !== null)
  const faults = selfTest + routes > 0 || wallet
  // The title bar reserves space for the pill.
  useLayoutEffect(() => {
    if (sandbox) document.documentElement.dataset['sandbox'] = faults ? 'faults' : ''
    else delete document.documentElement.dataset['sandbox']
  }, [sandbox, faults])
  if (!sandbox) return null
  return (
    <aside className={styles.mark} aria-label={t`Demo mode`}>
      <div className={styles.pill} title={t`Simulated models, no real money.`}>
        <span className={styles.word}>
          <Trans>
            <FlaskConical size={14} strokeWidth={2} aria-hidden />
            Demo mode
          </Trans>
        </span>
        {faults && (
          <a className={styles.faults} href={routes > 0 || wallet ? '#/settings' : '#/privacy/self-test'}>
            {whatIsOn(selfTest, routes, wallet)}
          </a>
        )}
      </div>
    </aside>
  )
}

function whatIsOn(selfTest: number, routes: number, wallet: boolean): string {
  const parts = [
    ...(routes > 0 ? [plural(routes, { one: '# route', other: '# routes' })] : []),
    ...(wallet ? [t`wallet`] : []),
  ]
  const all = formatList([...parts, selfTest > 0 && t`${selfTest} in verification`])
  if (parts.length > 0) return t`Simulated faults: ${all}`
  return plural(selfTest, { one: '# simulated fault is on', other: '# simulated faults are on' })
}

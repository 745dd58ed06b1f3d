import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSession } from '../api.ts'
import styles from './not-connected.module.css'

/** A tab that has no session, and how to give it one. */
export function NotConnected() {
  const refused = useSession((state) => state.codeRefused)
  return (
    <main className={styles.screen}>
      <div className={styles.page}>
        <h1><Trans>This tab is not connected</Trans></h1>
        <p>{refused ? t`The address was used before, or is older than five minutes. Each one opens a single tab.` : t`Sotto opens its window only in a tab that it gave a single-use address.`}</p>
        <p><Trans>Run <code>sotto open</code> in a terminal on the machine that runs Sotto, and a new tab opens.</Trans></p>
      </div>
    </main>
  )
}

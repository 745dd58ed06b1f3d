import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSession } from '../api.ts'
import { CopyTextButton } from '../copy-button.tsx'
import { useRoute } from '../route.ts'
import screens from '../screen.module.css'
import styles from './not-connected.module.css'
import { viewNames } from './views.tsx'

/** The same in every language. */
const COMMAND = 'sotto open'

/** Shown in a tab without a session. Explains how to connect the tab. */
export function NotConnected() {
  const { codeRefused, ended } = useSession()
  const { view } = useRoute()
  const pending = view === 'chat' ? undefined : viewNames[view]
  return (
    <main className={screens.message}>
      <div className={styles.page}>
        <h1>
          <Trans>Tab not connected</Trans>
        </h1>
        <p>
          {codeRefused
            ? t`This address was already used or is more than five minutes old. Each address opens one tab.`
            : ended
              ? t`Sotto restarted or signed out this tab.`
              : t`Sotto opens only from a single-use address.`}
        </p>
        <p>
          <Trans>
            To open a new tab, run <code>sotto open</code> in a terminal on the computer that runs Sotto.
          </Trans>
        </p>
        {pending !== undefined && (
          <p>
            <Trans>The new tab then opens {pending}.</Trans>
          </p>
        )}
        <div>
          <CopyTextButton kind="primary" label={t`Copy command`} text={() => COMMAND} />
        </div>
      </div>
    </main>
  )
}

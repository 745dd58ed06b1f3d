import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { codedFailure } from '../ui/failure.ts'
import { FailureNote } from '../ui/failure-note.tsx'
import screens from '../ui/screen.module.css'
import styles from './admin-page.module.css'
import { signIn, type SignedOut } from './team-api.ts'
import { signInFault } from './team-route.ts'

const reasons: Readonly<Record<SignedOut, string>> = {
  get 'never-signed-in'() {
    return t`Sign in with your team’s account to see your keys and activity.`
  },
  get 'session-ended'() {
    return t`Your session ended. Sign in again to continue.`
  },
  get 'signed-out'() {
    return t`You signed out.`
  },
}

/** The only screen without a session. */
export function SignIn({ signedOut }: { signedOut: SignedOut }) {
  const fault = signInFault(location.search)
  useEffect(() => {
    document.title = 'Sotto'
  }, [])
  return (
    <main className={screens.message}>
      <div className={styles.narrow}>
        <h1>
          <Trans>Sign in to Sotto</Trans>
        </h1>
        <p>{reasons[signedOut]}</p>
        {fault !== undefined && signedOut === 'never-signed-in' && (
          <FailureNote failure={codedFailure(fault)} />
        )}
        <div>
          <Button kind="primary" onClick={signIn} autoFocus>
            <Trans>Sign in</Trans>
          </Button>
        </div>
      </div>
    </main>
  )
}

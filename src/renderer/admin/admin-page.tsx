import { t } from '@lingui/core/macro'
import { Direction } from 'radix-ui'
import { ServiceScope } from '../data/service-scope.tsx'
import { useAnswer } from '../data/use-answer.ts'
import { Announcer } from '../ui/announcer.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { directionOf, useLanguage } from '../ui/language/language.ts'
import screens from '../ui/screen.module.css'
import styles from './admin-page.module.css'
import { Frame } from './frame.tsx'
import { SignIn } from './sign-in.tsx'
import { useTeamSession } from './team-api.ts'
import { sessionQuestion } from './team-answers.ts'

/** The page for a team of replicas: the sign-in, or the views of the role. */
export function AdminPage() {
  const signedOut = useTeamSession((state) => state.signedOut)
  // A change of language renders the whole page again.
  const language = useLanguage((state) => state.tag)
  return (
    <Direction.Provider dir={directionOf(language)}>
      <div className={styles.page}>
        {signedOut === undefined ? (
          <ServiceScope>
            <Team />
          </ServiceScope>
        ) : (
          <SignIn signedOut={signedOut} />
        )}
        <Announcer />
      </div>
    </Direction.Provider>
  )
}

function Team() {
  const { data: session, failure, refresh } = useAnswer(sessionQuestion)
  if (session) return <Frame session={session} />
  return (
    <main className={screens.message}>
      <div className={styles.narrow}>
        {failure ? (
          <FailureNote failure={failure} onRetry={refresh} />
        ) : (
          <p role="status">{t`Connecting to Sotto…`}</p>
        )}
      </div>
    </main>
  )
}

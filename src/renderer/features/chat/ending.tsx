import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Message } from '../../../shared/conversation.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { go } from '../../ui/route.ts'
import { answerAgain, continueAnswer, continueWords, resumeAnswer } from './branches.ts'
import { useChat } from './chat-store.ts'
import styles from './message-row.module.css'

const ToolSteps = lazyComponent(async () => (await import('./tools/tool-steps.tsx')).ToolSteps)

interface EndingProps {
  message: Message
  /** Only the last message can be continued in its place. */
  last: boolean
}

/** Explains why a reply is incomplete and what to do, with a button for it. */
export function Ending({ message, last }: EndingProps) {
  if (message.state === 'complete') return null
  if (message.state === 'streaming') {
    return (
      <p className={styles.elsewhere} role="note">
        <Trans>Another tab or tool is generating this reply.</Trans>
      </p>
    )
  }
  return (
    <ServiceScope>
      <EarlyEnd message={message} last={last} />
    </ServiceScope>
  )
}

function EarlyEnd({ message, last }: EndingProps) {
  const { id: answerId, conversationId, state, text } = message
  const known = useChat((chat) => chat.endings[answerId])
  // The journal, because the saved reply may be older than it if Sotto ended unexpectedly.
  const { data: steps = [] } = useAnswer({
    key: ['tools.steps', conversationId, answerId],
    ask: ({ signal }) => api.tools.steps({ conversationId, answerId }, { signal }),
  })
  const refused = message.privacy === 'refused'
  const buttons = <Buttons message={message} resumable={last && steps.length > 0} />
  return (
    <>
      {steps.length > 0 && <ToolSteps steps={steps} ended />}
      {state === 'cancelled' ? (
        <div className={styles.stopped}>
          <span>{text === '' ? t`Stopped before the first word.` : t`Stopped here.`}</span>
          {buttons}
        </div>
      ) : (
        <FailureNote
          failure={known ?? codedFailure(message.errorCode ?? 'service/interrupted', message.errorDetail)}
          refused={refused}
          isSaved
        >
          {buttons}
          {refused && (
            <Button onClick={() => go({ view: 'privacy' })}>
              <Trans>View verification</Trans>
            </Button>
          )}
        </FailureNote>
      )}
    </>
  )
}

function Buttons({ message, resumable }: { message: Message; resumable: boolean }) {
  const labels = continueWords()
  return (
    <>
      {resumable ? (
        <Button onClick={() => void resumeAnswer(message)}>
          <Trans>Continue</Trans>
        </Button>
      ) : (
        message.text !== '' && (
          <Button onClick={() => void continueAnswer(message)} title={t`Sends “${labels}”`}>
            <Trans>Continue</Trans>
          </Button>
        )
      )}
      <Button onClick={() => void answerAgain(message)}>
        <Trans>Try again</Trans>
      </Button>
    </>
  )
}

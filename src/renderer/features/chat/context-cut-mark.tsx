import { Trans } from '@lingui/react/macro'
import type { Conversation } from '../../../shared/conversation.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useAction } from '../../ui/use-action.ts'
import { putChanged } from './chat-store.ts'
import styles from './context-cut-mark.module.css'

interface ContextCutMarkProps {
  conversation: Conversation
  /** Sent instead of the messages above. */
  summary: string | undefined
}

/** Shown below the last message that isn't sent to a model. */
export function ContextCutMark({ conversation, summary }: ContextCutMarkProps) {
  const sendAll = useAction(() =>
    putChanged(api.conversations.trim({ conversationId: conversation.id, messageId: null })),
  )
  return (
    <div className={styles.mark} role="note" data-testid="context-cut">
      <p>
        {summary === undefined ? (
          <Trans>The model doesn’t get the messages above.</Trans>
        ) : (
          <Trans>The model gets a summary of the messages above.</Trans>
        )}
      </p>
      {summary !== undefined && (
        <details>
          <summary>
            <Trans>Summary</Trans>
          </summary>
          <p className={styles.summary} dir="auto">
            {summary}
          </p>
        </details>
      )}
      <Button kind="link" onClick={() => void sendAll.run()}>
        <Trans>Send all messages</Trans>
      </Button>
      {sendAll.failure && <FailureNote failure={sendAll.failure} />}
    </div>
  )
}

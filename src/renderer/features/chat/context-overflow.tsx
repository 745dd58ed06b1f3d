import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SUMMARY_TOKENS } from '../../../shared/context-cut.ts'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatTokens } from '../../ui/format/number.ts'
import { currentRoute } from '../../ui/route.ts'
import { useAction } from '../../ui/use-action.ts'
import { putChanged, useChat } from './chat-store.ts'
import styles from './composer-note.module.css'
import { modelsWithLongerContext, oldestToLeaveOut, summaryPrompt } from './context-choices.ts'
import { estimateWords } from './estimate.ts'
import { jumpTo } from './jump.ts'
import { stopSummary, summarizeChat, useSummaries } from './summary-store.ts'

interface ContextOverflowProps {
  /** Undefined: it begins with the draft, and only that is too long. */
  conversation: Conversation | undefined
  /** Messages that would be sent. */
  sent: readonly Message[]
  tokens: number
  model: Model & { readonly contextLength: number }
  onPick: (modelId: string) => void
  onDone: () => void
}

/** Shown before sending, if the chat doesn't fit into the model's context. Offers the possible remedies. */
export function ContextOverflow({ conversation, sent, tokens, model, onPick, onDone }: ContextOverflowProps) {
  const models = useChat((state) => state.models) ?? []
  const conversationId = conversation?.id
  const count = oldestToLeaveOut({ sent, tokens, contextLength: model.contextLength })
  const oldest = count === undefined ? [] : sent.slice(0, count)
  const messageId = oldest.at(-1)?.id
  const prompt = oldest.length === 0 ? undefined : summaryPrompt(oldest, model, conversation)
  const showCut = (cutMessageId: string) => {
    // Another chat may have been opened in the meantime.
    if (currentRoute().conversationId === conversationId) jumpTo(cutMessageId)
    onDone()
  }
  const trim = useAction(async () => {
    if (conversationId === undefined || messageId === undefined) return
    await putChanged(api.conversations.trim({ conversationId, messageId }))
    showCut(messageId)
  })
  const summary = useSummaries((state) => state.summaries[conversationId ?? ''])
  const progress = summary?.state === 'running' ? summary : undefined
  const summarize = async () => {
    if (conversationId === undefined || messageId === undefined) return
    if (!(await summarizeChat({ conversationId, messageId, model: model.id }))) return
    showCut(messageId)
  }
  const [used, size] = [formatTokens(tokens), formatTokens(model.contextLength)]
  const { name } = model
  const price = estimateWords(model, { prompt: prompt ?? 0, maxTokens: SUMMARY_TOKENS })
  const failure = trim.failure ?? (summary?.state === 'failed' ? summary.failure : undefined)
  return (
    <div className={styles.note} data-testid="context-overflow">
      <p role="status">
        <Trans>
          This chat is too long for {name}: about {used} of {size} tokens. The service may refuse it.
        </Trans>
      </p>
      {messageId !== undefined && (
        <Button onClick={() => void trim.run()} busy={trim.busy && t`Saving…`} waits={progress !== undefined}>
          {plural(oldest.length, { one: 'Leave out # message', other: 'Leave out # messages' })}
        </Button>
      )}
      {prompt !== undefined && (
        <Button
          onClick={() => void summarize()}
          busy={progress !== undefined && t`Summarizing…`}
          waits={trim.busy}
        >
          {plural(oldest.length, { one: 'Summarize # message', other: 'Summarize # messages' })}
        </Button>
      )}
      {progress && conversationId !== undefined && (
        <Button onClick={() => stopSummary(conversationId)}>
          <Trans>Stop summary</Trans>
        </Button>
      )}
      {modelsWithLongerContext(models, tokens, conversation, model).map(({ id, name: offered }) => (
        <Button key={id} onClick={() => onPick(id)} waits={progress !== undefined || trim.busy}>
          <Trans>Use {offered}</Trans>
        </Button>
      ))}
      {prompt !== undefined && (
        <p className={styles.details}>
          <Trans>
            {name} writes the summary. {price}
          </Trans>
        </p>
      )}
      {progress && (
        <p role="status" className={styles.details}>
          {progress.tokens === 0
            ? t`Waiting for the model…`
            : plural(progress.tokens, { one: 'About # token written', other: 'About # tokens written' })}
        </p>
      )}
      {summary?.state === 'stopped' && (
        <p role="status" className={styles.details}>
          <Trans>Stopped. Nothing was saved. The service may charge for the part that was written.</Trans>
        </p>
      )}
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SUMMARY_TOKENS } from '../../../shared/context-cut.ts'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatTokens } from '../../ui/format/number.ts'
import { useAction } from '../../ui/use-action.ts'
import { putChanged, useChat } from './chat-store.ts'
import styles from './composer-note.module.css'
import { modelsWithLongerContext, oldestToLeaveOut, summaryPrompt } from './context-choices.ts'
import { estimateWords } from './estimate.ts'
import { jumpTo } from './jump.ts'

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
  const trim = useAction(async () => {
    if (conversationId === undefined || messageId === undefined) return
    await putChanged(api.conversations.trim({ conversationId, messageId }))
    jumpTo(messageId)
    onDone()
  })
  const summary = useAction(async () => {
    if (conversationId === undefined || messageId === undefined) return
    await putChanged(api.chat.summarize({ conversationId, messageId, model: model.id }))
    announce(t`Summary saved.`)
    jumpTo(messageId)
    onDone()
  })
  const [used, size] = [formatTokens(tokens), formatTokens(model.contextLength)]
  const { name } = model
  const price = estimateWords(model, { prompt: prompt ?? 0, maxTokens: SUMMARY_TOKENS })
  const failure = trim.failure ?? summary.failure
  return (
    <div className={styles.note} data-testid="context-overflow">
      <p role="status">
        <Trans>
          This chat is too long for {name}: about {used} of {size} tokens. The service may refuse it.
        </Trans>
      </p>
      {messageId !== undefined && (
        <Button onClick={() => void trim.run()} busy={trim.busy && t`Saving…`} waits={summary.busy}>
          {plural(oldest.length, { one: 'Leave out # message', other: 'Leave out # messages' })}
        </Button>
      )}
      {prompt !== undefined && (
        <Button onClick={() => void summary.run()} busy={summary.busy && t`Summarizing…`} waits={trim.busy}>
          {plural(oldest.length, { one: 'Summarize # message', other: 'Summarize # messages' })}
        </Button>
      )}
      {modelsWithLongerContext(models, tokens, conversation, model).map(({ id, name: offered }) => (
        <Button key={id} onClick={() => onPick(id)} waits={summary.busy || trim.busy}>
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
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

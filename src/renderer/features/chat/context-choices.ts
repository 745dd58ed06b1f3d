import { SUMMARY_TOKENS } from '../../../shared/context-cut.ts'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { isChat } from './choose-model.ts'
import { historyTokens } from './estimate.ts'

/** Part of a context that stays free for the reply and for errors of the estimate. */
const RESERVE = 0.25
const MAX_OFFERS = 2

interface ContextNeed {
  /** Messages that would be sent. */
  readonly sent: readonly Message[]
  /** Tokens of everything that would be sent. */
  readonly tokens: number
  readonly contextLength: number
}

/**
 * The number of oldest messages to leave out so that the others fit. Only whole exchanges are left out, so that the first message is a
 * question.
 *
 * @returns undefined if nothing can be left out, or if even the draft is too long
 */
export function oldestToLeaveOut({ sent, tokens, contextLength }: ContextNeed): number | undefined {
  const limit = contextLength * (1 - RESERVE)
  let rest = tokens
  for (const [at, message] of sent.entries()) {
    if (at > 0 && rest <= limit && message.role === 'user') return at
    rest -= historyTokens([message])
  }
  return sent.length > 0 && rest <= limit ? sent.length : undefined
}

/**
 * The tokens that a model reads to summarize messages.
 *
 * @returns undefined if the model may not read them, or if they don't fit into its context
 */
export function summaryPrompt(
  messages: readonly Message[],
  model: Model,
  conversation: Pick<Conversation, 'private'> | undefined,
): number | undefined {
  if (conversation?.private === true && !model.private) return undefined
  const tokens = historyTokens(messages)
  const fits = model.contextLength === undefined || tokens + SUMMARY_TOKENS <= model.contextLength
  return fits ? tokens : undefined
}

/** Models whose context is long enough, the shortest first. A private chat is offered only private ones. */
export function modelsWithLongerContext(
  models: readonly Model[],
  tokens: number,
  conversation: Pick<Conversation, 'private'> | undefined,
  current: Model,
): readonly Model[] {
  const privateOnly = conversation?.private === true || current.private
  return models
    .filter((model) => isChat(model) && (model.private || !privateOnly))
    .filter(({ contextLength = 0 }) => tokens <= contextLength * (1 - RESERVE))
    .toSorted((a, b) => (a.contextLength ?? 0) - (b.contextLength ?? 0))
    .slice(0, MAX_OFFERS)
}

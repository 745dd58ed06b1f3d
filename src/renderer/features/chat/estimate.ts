import { t } from '@lingui/core/macro'
import type { Attachment } from '../../../shared/attachment.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { tokenCost } from '../../../shared/money.ts'
import { passageTokens } from '../../../shared/passage-text.ts'
import { imageTokens, textTokens, TOKENS_PER_MESSAGE } from '../../../shared/token-estimate.ts'
import { formatCost, formatUsd } from '../../ui/format/money.ts'

/** Approximate tokens of one message. */
export function tokensOf(text: string): number {
  return textTokens(text) + TOKENS_PER_MESSAGE
}

/** A reply of typical length: about 750 words. */
const ANSWER_TOKENS = 1000

interface Prices {
  /** Pico-USD per million tokens. */
  readonly input: string
  readonly output: string
}

/** Undefined if a price isn't listed, or if it is negative, which some listings use for a variable price. */
export function listedPrices({
  inputPerMillion: input,
  outputPerMillion: output,
}: Model): Prices | undefined {
  return input === undefined || output === undefined || input.startsWith('-') || output.startsWith('-')
    ? undefined
    : { input, output }
}

/** The request that is about to be sent. */
interface Sending {
  /** Tokens of the chat so far and of the draft. The model reads all of it. */
  readonly prompt: number
  /** The limit in the conversation's settings. */
  readonly maxTokens?: number | undefined
  readonly searching?: boolean
}

/** Pico-USD. */
interface ReplyCost {
  /** With a reply of typical length. */
  readonly expected: bigint
  /** With the longest reply; undefined if nothing limits it. */
  readonly most: bigint | undefined
}

/** Undefined if a price is not listed. */
function replyCost(model: Model, { prompt, maxTokens, searching = false }: Sending): ReplyCost | undefined {
  const prices = listedPrices(model)
  const search = searching ? searchPrice(model) : 0n
  if (!prices || search === undefined) return undefined
  const cost = (read: number, written: number): bigint =>
    search + tokenCost(read, prices.input) + tokenCost(written, prices.output)
  // The results of a search may fill the context.
  const [mostRead, mostWritten] = [searching ? model.contextLength : prompt, maxTokens ?? model.contextLength]
  return {
    expected: cost(prompt, Math.min(ANSWER_TOKENS, mostWritten ?? ANSWER_TOKENS)),
    most: mostRead === undefined || mostWritten === undefined ? undefined : cost(mostRead, mostWritten),
  }
}

/** Pico-USD; undefined if the price isn't listed. */
function searchPrice({ webSearch }: Model): bigint | undefined {
  return webSearch === undefined || webSearch.startsWith('-') ? undefined : BigInt(webSearch)
}

function amountWords({ expected, most }: ReplyCost): string {
  if (most === undefined) return formatUsd(String(expected), { style: 'brief', round: 'nearest' })
  return formatCost({ least: '0', expected: String(expected), most: String(most) })
}

/** The cost of a reply in words: expected and maximum. */
export function estimateWords(model: Model | undefined, sending: Sending): string {
  const cost = model && replyCost(model, sending)
  if (!cost) return model && listedPrices(model) ? t`Search price not reported` : t`Price not reported`
  if (cost.expected === 0n && (cost.most ?? 0n) === 0n) return t`Free`
  const amount = amountWords(cost)
  return sending.searching === true && cost.most === undefined
    ? t`Estimate: ${amount}, plus tokens for search results`
    : t`Estimate: ${amount}`
}

/** The cost of one question to several models, in words. If one price is unknown, the sum is unknown. */
export function compareWords(models: readonly (Model | undefined)[], sending: Sending): string {
  let [expected, most]: [bigint, bigint | undefined] = [0n, 0n]
  for (const model of models) {
    const cost =
      model && replyCost(model, { ...sending, searching: sending.searching === true && !model.private })
    if (!cost) return t`Price unknown: not every model reports one`
    expected += cost.expected
    most = most === undefined || cost.most === undefined ? undefined : most + cost.most
  }
  const amount = amountWords({ expected, most })
  return most === undefined ? t`Estimate for all: ${amount}; maximum unknown` : t`Estimate for all: ${amount}`
}

/** Counts each message once. A changed message is another object. */
const counted = new WeakMap<Message, number>()

export function historyTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0)
}

function messageTokens(message: Message): number {
  const known = counted.get(message)
  if (known !== undefined) return known
  const { text, passages = [], attachments = [] } = message
  const tokens = tokensOf(text) + passageTokens(passages) + attachedTokens(attachments)
  counted.set(message, tokens)
  return tokens
}

/** Texts were counted when they were attached. Images are counted by their size. */
export function attachedTokens(attachments: readonly Attachment[]): number {
  return attachments.reduce(
    (sum, attachment) =>
      sum + (attachment.kind === 'image' ? imageTokens(attachment) : (attachment.tokens ?? 0)),
    0,
  )
}

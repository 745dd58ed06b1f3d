import { t } from '@lingui/core/macro'
import type { Attachment } from '../../../shared/attachment.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { textTokens } from '../../../shared/token-estimate.ts'
import { formatUsd, priceOf } from '../../ui/format/money.ts'

/** What a chat template adds to each message. */
const TOKENS_PER_MESSAGE = 8

/** Tokens of one message, about. */
export function tokensOf(text: string): number {
  return textTokens(text) + TOKENS_PER_MESSAGE
}

/** What an answer of so many tokens is reckoned with: about 750 words. */
const ANSWER_TOKENS = 1000

interface Prices {
  /** Pico-USD for one million tokens. */
  readonly input: string
  readonly output: string
}

/** Undefined where one is not listed, or is negative, which is how some listings say that it depends. */
export function listedPrices({ inputPerMillion: input, outputPerMillion: output }: Model): Prices | undefined {
  return input === undefined || output === undefined || input.startsWith('-') || output.startsWith('-') ? undefined : { input, output }
}

/** Pico-USD: a hundredth of a cent. */
const LEAST_SHOWN = 10n ** 8n

/** What sending costs, in words; the whole conversation is read again each time. */
export function estimateWords(model: Model | undefined, history: number, text: string, searching = false): string {
  const prices = model && listedPrices(model)
  const search = searching ? searchPrice(model) : 0n
  if (!prices || search === undefined) return searching && prices ? t`Search price not reported` : t`Price not reported`
  if (prices.input === '0' && prices.output === '0' && search === 0n) return t`Free`
  const read = search + priceOf(history + tokensOf(text), prices.input)
  const written = priceOf(ANSWER_TOKENS, prices.output)
  const [total, answer] = [formatUsd(String(read)), formatUsd(String(written))]
  if (searching) return t`About ${total} to send with the search, plus tokens for its results; ${answer} per 1,000 reply tokens`
  if (read >= LEAST_SHOWN) return t`About ${total} to send, ${answer} per 1,000 reply tokens`
  const least = formatUsd(String(LEAST_SHOWN))
  return t`Under ${least} to send, ${answer} per 1,000 reply tokens`
}

/** Pico-USD; undefined where it is not listed. */
function searchPrice(model: Model | undefined): bigint | undefined {
  const price = model?.webSearch
  return price === undefined || price.startsWith('-') ? undefined : BigInt(price)
}

interface Compared {
  readonly history: number
  readonly text: string
  /** Of the conversation's settings. */
  readonly maxTokens: number | undefined
  readonly searching: boolean
}

/** What one question to several models costs, in words: about, and at the most. One price that is not known makes the sum unknown. */
export function compareWords(models: readonly (Model | undefined)[], { history, text, maxTokens, searching }: Compared): string {
  const prompt = history + tokensOf(text)
  let [sending, most]: [bigint, bigint | undefined] = [0n, 0n]
  for (const model of models) {
    const prices = model && listedPrices(model)
    const searches = searching && model?.private === false
    const search = searches ? searchPrice(model) : 0n
    if (!prices || search === undefined) return t`Price unknown: not every model reports one`
    sending += search + priceOf(prompt, prices.input)
    // What a search finds may fill the context.
    const [reads, writes] = [searches ? model.contextLength : prompt, maxTokens ?? model.contextLength]
    most = most === undefined || reads === undefined || writes === undefined ? undefined : most + search + priceOf(reads, prices.input) + priceOf(writes, prices.output)
  }
  const about = formatUsd(String(sending))
  if (most === undefined) return t`About ${about} to send to all; maximum reply cost unknown`
  const all = formatUsd(String(most))
  return t`About ${about} to send to all, up to ${all} with the longest replies`
}

export function historyTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, { text, attachments = [] }) => sum + tokensOf(text) + attachedTokens(attachments), 0)
}

/** Of an image nothing is known: it counts as nothing, which is said beside the sum. */
export function attachedTokens(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
}

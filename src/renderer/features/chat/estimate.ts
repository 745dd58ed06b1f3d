import type { Message } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { formatUsd, priceOf } from '../../ui/format/money.ts'

/** Bytes of UTF-8 to one token: fewer than tokenizers need in most languages, so that the estimate errs upwards. */
const BYTES_PER_TOKEN = 3
/** What a chat template adds to each message. */
const TOKENS_PER_MESSAGE = 8

const encoder = new TextEncoder()

/** Tokens of one message, about. */
export function tokensOf(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE
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
export function estimateWords(model: Model | undefined, history: number, text: string): string {
  const prices = model && listedPrices(model)
  if (!prices) return 'Price not given'
  if (prices.input === '0' && prices.output === '0') return 'Free of charge'
  const read = priceOf(history + tokensOf(text), prices.input)
  const written = priceOf(ANSWER_TOKENS, prices.output)
  const sending = read < LEAST_SHOWN ? `Under ${formatUsd(String(LEAST_SHOWN))} to send` : `About ${formatUsd(String(read))} to send`
  return `${sending}, ${formatUsd(String(written))} per 1,000 tokens of answer`
}

export function historyTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, { text }) => sum + tokensOf(text), 0)
}

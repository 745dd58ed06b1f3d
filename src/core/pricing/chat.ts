import type { Model } from '../../shared/model.ts'
import type { TokenUsage } from '../../shared/receipt.ts'
import { divideUp } from './usd.ts'

/** Prices are listed for so many tokens. */
const LISTED_TOKENS = 1_000_000n
/** Text in common languages does not pack more into a token, on the whole; a long run of spaces may. */
const MOST_CHARACTERS_PER_TOKEN = 8
/** A tokenizer makes no more tokens than there are UTF-8 bytes, and one UTF-16 unit is at most three of those. */
const MOST_TOKENS_PER_CHARACTER = 3
/** For the roles and delimiters that a chat template adds; a message of two characters pays for its own. */
const TEMPLATE_TOKENS = 64

/** What is known of a chat request before it is sent. */
export interface ChatSize {
  /** UTF-16 units of all text that is sent. Images and files are not text: their price is not known from it. */
  promptCharacters: number
  /** `max_completion_tokens` or `max_tokens`, where the request has one. */
  maxTokens?: number
}

/** In pico-USD: `most` is a bound, as far as the listed price holds; `least` is what such text usually costs at the least. */
export interface ChatEstimate {
  readonly least: bigint
  readonly most: bigint
}

/** By the listed price, rounded up. `unknown` where a price is not listed, or where nothing bounds the answer. */
export function estimateChat(model: Model, request: ChatSize): ChatEstimate | 'unknown' {
  const price = pricesOf(model)
  if (!price) return 'unknown'
  const context = model.contextLength ?? Infinity
  const mostPrompt = Math.min(request.promptCharacters * MOST_TOKENS_PER_CHARACTER + TEMPLATE_TOKENS, context)
  const mostCompletion = Math.min(request.maxTokens ?? Infinity, context)
  if (!isCount(mostPrompt) || !isCount(mostCompletion)) return 'unknown'
  const leastPrompt = Math.min(Math.ceil(request.promptCharacters / MOST_CHARACTERS_PER_TOKEN), mostPrompt)
  return {
    least: charge(price, leastPrompt, 0),
    most: charge(price, mostPrompt, mostCompletion),
  }
}

/** What the usage comes to by the listed price, in pico-USD, rounded up once; null where a price is not listed. */
export function chatCost(model: Model, usage: TokenUsage): bigint | null {
  const price = pricesOf(model)
  return price && isCount(usage.prompt) && isCount(usage.completion) ? charge(price, usage.prompt, usage.completion) : null
}

interface Prices {
  input: bigint
  output: bigint
}

/** A negative price is how some listings say that it depends. */
function pricesOf(model: Model): Prices | null {
  if (model.inputPerMillion === undefined || model.outputPerMillion === undefined) return null
  const price = { input: BigInt(model.inputPerMillion), output: BigInt(model.outputPerMillion) }
  return price.input < 0n || price.output < 0n ? null : price
}

function charge(price: Prices, prompt: number, completion: number): bigint {
  return divideUp(BigInt(prompt) * price.input + BigInt(completion) * price.output, LISTED_TOKENS)
}

function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0
}

import type { Model } from '../../shared/model.ts'
import type { TokenUsage } from '../../shared/receipt.ts'
import { divideUp } from '../../shared/money.ts'

/** Prices are listed for so many tokens. */
const LISTED_TOKENS = 1_000_000n
/** Text in common languages does not pack more into a token, on the whole; a long run of spaces may. */
const MOST_BYTES_PER_TOKEN = 8
/** What a chat template adds to one message: its role and its delimiters. */
const TEMPLATE_TOKENS_PER_MESSAGE = 16

/** What is known of a chat request before it is sent. */
export interface ChatSize {
  /** UTF-8 bytes of all text in the messages. Images and files are not text: their price is not known from it. */
  promptBytes: number
  messages: number
  /** `max_completion_tokens` or `max_tokens`, where the request has one. */
  maxTokens?: number
  /** `n`: every one of so many answers is charged for. 1 by default. */
  choices?: number
}

/** In pico-USD. `most` is a bound as far as the listing goes: a tokenizer makes no more tokens than there are bytes. */
export interface ChatEstimate {
  readonly least: bigint
  readonly most: bigint
}

/** By the listed price, rounded up. `unknown` where a price is not listed, or where nothing bounds the answer. */
export function estimateChat(model: Model, request: ChatSize): ChatEstimate | 'unknown' {
  const price = pricesOf(model)
  if (!price) return 'unknown'
  const context = model.contextLength ?? Infinity
  const mostPrompt = Math.min(request.promptBytes + request.messages * TEMPLATE_TOKENS_PER_MESSAGE, context)
  const mostCompletion = Math.min(request.maxTokens ?? Infinity, context) * (request.choices ?? 1)
  if (!isCount(mostPrompt) || !isCount(mostCompletion)) return 'unknown'
  const leastPrompt = Math.min(Math.ceil(request.promptBytes / MOST_BYTES_PER_TOKEN), mostPrompt)
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

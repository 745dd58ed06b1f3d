import type { Model } from '../../../shared/model.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { isCount, listedPrice, share, type MaybeEstimate } from './estimate.ts'

/** Prices are listed per this many tokens. */
const LISTED_TOKENS = 1_000_000n
/**
 * Text in common languages averages at most this many bytes per token. A long run of spaces may have more.
 */
const MOST_BYTES_PER_TOKEN = 8
/** The tokens that a chat template adds to one message: its role and its delimiters. */
const TEMPLATE_TOKENS_PER_MESSAGE = 16

/** The size of a chat request, known before it's sent. */
export interface ChatSize {
  /**
   * UTF-8 bytes of all text in the messages. Images and files aren't text, and the price of their tokens
   * isn't known from them.
   */
  promptBytes: number
  messages: number
  /**
   * UTF-8 bytes of the rest of the request that may become part of the prompt, such as a name or a schema. 0
   * by default.
   */
  otherBytes?: number
  /** `max_completion_tokens` or `max_tokens`, if the request has one. */
  maxTokens?: number
  /** `n`: each choice is charged. 1 by default. */
  choices?: number
  /** A web search runs first (plugin `web`). It has its own price and adds unknown text to the prompt. */
  webSearch?: boolean
}

/**
 * Estimates by the listed price, rounded up. The bound is one token for each byte. Returns `unknown` if a
 * price isn't listed, including that of a search, or if the prompt or the answer is unbounded.
 */
export function estimateChat(model: Model, request: ChatSize): MaybeEstimate {
  const price = pricesOf(model)
  if (!price) return 'unknown'
  const context = model.contextLength ?? Infinity
  const search = request.webSearch === true ? listedPrice(model.webSearch) : 0n
  if (search === undefined) return 'unknown'
  const mostPrompt = request.webSearch === true ? context : Math.min(mostPromptTokens(request), context)
  const mostCompletion = Math.min(request.maxTokens ?? Infinity, context) * (request.choices ?? 1)
  if (!isCount(mostPrompt) || !isCount(mostCompletion)) return 'unknown'
  const leastPrompt = Math.min(Math.ceil(request.promptBytes / MOST_BYTES_PER_TOKEN), mostPrompt)
  return {
    least: search + charge(price, leastPrompt, 0),
    most: search + charge(price, mostPrompt, mostCompletion),
  }
}

/** The largest number of prompt tokens: one for each byte, and those of the chat template. */
function mostPromptTokens({
  promptBytes,
  otherBytes = 0,
  messages,
}: Pick<ChatSize, 'promptBytes' | 'otherBytes' | 'messages'>): number {
  return promptBytes + otherBytes + messages * TEMPLATE_TOKENS_PER_MESSAGE
}

/**
 * Calculates the price of the usage by the price list, in pico-USD, rounded up once, with the price of a web
 * search if one ran. Cached and reasoning tokens are part of the prompt and the completion. Tokens beyond
 * both (reasoning that isn't counted in the completion, or a larger total) cost as much as the completion's.
 * @returns null if a price isn't listed
 */
export function chatCost(
  model: Model,
  usage: TokenUsage,
  { webSearch = false }: Pick<ChatSize, 'webSearch'> = {},
): bigint | null {
  const price = pricesOf(model)
  const search = webSearch ? listedPrice(model.webSearch) : 0n
  const { prompt, completion, total = 0, reasoning = 0, media = 0 } = usage
  if (!price || search === undefined || ![prompt, completion, total, reasoning, media].every(isCount))
    return null
  const uncounted = Math.max(
    total - prompt - completion,
    reasoning > completion ? reasoning : 0,
    media > prompt + completion ? media : 0,
    0,
  )
  const [input, output] = [BigInt(prompt), BigInt(completion) + BigInt(uncounted)]
  return search + share(input * price.input + output * price.output, 1n, LISTED_TOKENS)
}

interface Prices {
  input: bigint
  output: bigint
}

function pricesOf(model: Model): Prices | null {
  const [input, output] = [listedPrice(model.inputPerMillion), listedPrice(model.outputPerMillion)]
  return input === undefined || output === undefined ? null : { input, output }
}

function charge(price: Prices, prompt: number, completion: number): bigint {
  return share(BigInt(prompt) * price.input + BigInt(completion) * price.output, 1n, LISTED_TOKENS)
}

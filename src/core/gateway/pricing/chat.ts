import type { Model } from '../../../shared/model.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { isCount, listedPrice, share, type Estimate } from './estimate.ts'

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
  /** UTF-8 bytes of whatever else stands in the request and may be put before the model, such as a name or a schema. 0 by default. */
  otherBytes?: number
  /** `max_completion_tokens` or `max_tokens`, where the request has one. */
  maxTokens?: number
  /** `n`: every one of so many answers is charged for. 1 by default. */
  choices?: number
  /** A web search runs first (plugin `web`): it has a price of its own, and puts text into the prompt that nobody knows yet. */
  webSearch?: boolean
}

export type ChatEstimate = Estimate

/**
 * By the listed price, rounded up: a tokenizer makes no more tokens than there are bytes. `unknown` where a price is not
 * listed, that of a search included, or where nothing bounds the prompt or the answer.
 */
export function estimateChat(model: Model, request: ChatSize): ChatEstimate | 'unknown' {
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

/** No tokenizer makes more tokens of a prompt: one for each byte, and the chat template's. */
function mostPromptTokens({
  promptBytes,
  otherBytes = 0,
  messages,
}: Pick<ChatSize, 'promptBytes' | 'otherBytes' | 'messages'>): number {
  return promptBytes + otherBytes + messages * TEMPLATE_TOKENS_PER_MESSAGE
}

/**
 * The price of the usage by the price list, in pico-USD, rounded up once, with the price of a web search if one ran. Cached and reasoning
 * tokens are part of the prompt and the completion. Tokens beyond both (reasoning that isn't counted in the completion, or a larger total)
 * cost as much as the completion's.
 *
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

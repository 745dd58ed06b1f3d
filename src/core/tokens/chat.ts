import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { countImageTokens } from './image.ts'
import { countTextTokens } from './text.ts'

/** A chat template adds about as many tokens to each message. */
const TOKENS_PER_MESSAGE = 4

/**
 * The prompt tokens of a chat completion's body: messages, tool calls, tool definitions and images. It's a count, not a bound: the
 * model's own tokenizer may give a few percent more or less. A budget is held to `estimateChatRequest` instead.
 *
 * @returns null if a part is neither text nor an image
 */
export async function countChatTokens({ messages, tools }: JsonObject): Promise<number | null> {
  if (!Array.isArray(messages)) return null
  let tokens = await countTextTokens(jsonOf(tools))
  for (const message of messages) {
    const content = isJsonObject(message) ? await countContent(message['content']) : null
    if (!isJsonObject(message) || content === null) return null
    tokens += TOKENS_PER_MESSAGE + content + await countCalls(message['tool_calls'])
  }
  return tokens
}

async function countContent(content: JsonValue | undefined): Promise<number | null> {
  if (content === undefined || content === null) return 0
  if (typeof content === 'string') return countTextTokens(content)
  if (!Array.isArray(content)) return null
  let tokens = 0
  for (const part of content) {
    const counted = isJsonObject(part) ? await countPart(part) : null
    if (counted === null) return null
    tokens += counted
  }
  return tokens
}

async function countPart({ type, text, image_url: image }: JsonObject): Promise<number | null> {
  if (type === 'text' && typeof text === 'string') return countTextTokens(text)
  const url = type === 'image_url' && isJsonObject(image) ? image['url'] : undefined
  return typeof url === 'string' ? countImageTokens(url) : null
}

async function countCalls(calls: JsonValue | undefined): Promise<number> {
  if (!Array.isArray(calls)) return 0
  let tokens = 0
  for (const call of calls) {
    if (isJsonObject(call) && isJsonObject(call['function'])) tokens += await countTextTokens(`${textOf(call['function']['name'])} ${textOf(call['function']['arguments'])}`)
  }
  return tokens
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

function jsonOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value)
}

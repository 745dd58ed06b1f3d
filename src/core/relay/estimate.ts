import type { Model } from '../../shared/model.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { estimateChat } from '../pricing/index.ts'

/** The price of a request before it is sent, for its receipt; nothing where it cannot be known. */
export function estimateChatRequest(model: Model, body: JsonObject): Pick<Receipt, 'estimate'> {
  const promptCharacters = textLength(body)
  if (promptCharacters === null) return {}
  const estimate = estimateChat(model, { promptCharacters, ...maxTokens(body) })
  return estimate === 'unknown' ? {} : { estimate: { least: estimate.least.toString(), most: estimate.most.toString() } }
}

/** Characters of all that is text; null where a part is not, since nobody lists what a picture costs. */
function textLength({ messages, tools }: JsonObject): number | null {
  if (!Array.isArray(messages)) return null
  let characters = tools === undefined ? 0 : JSON.stringify(tools).length
  for (const message of messages) {
    if (!isJsonObject(message)) return null
    const { content, tool_calls: toolCalls } = message
    const length = contentLength(content)
    if (length === null) return null
    characters += length + (toolCalls === undefined ? 0 : JSON.stringify(toolCalls).length)
  }
  return characters
}

function contentLength(content: JsonValue | undefined): number | null {
  if (content === undefined || content === null) return 0
  if (typeof content === 'string') return content.length
  if (!Array.isArray(content)) return null
  let characters = 0
  for (const part of content) {
    if (!isJsonObject(part) || typeof part['text'] !== 'string') return null
    characters += part['text'].length
  }
  return characters
}

function maxTokens(body: JsonObject): { maxTokens?: number } {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  return typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? { maxTokens: limit } : {}
}

import type { Model } from '../../shared/model.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { estimateChat } from '../pricing/index.ts'

/** The price of a request before it is sent, for its receipt; nothing where it cannot be known. */
export function estimateChatRequest(model: Model, body: JsonObject): Pick<Receipt, 'estimate'> {
  const size = textSize(body)
  if (!size) return {}
  const maxTokens = positive(body['max_completion_tokens'] ?? body['max_tokens'])
  const choices = positive(body['n'])
  const estimate = estimateChat(model, { ...size, ...(maxTokens !== undefined && { maxTokens }), ...(choices !== undefined && { choices }) })
  return estimate === 'unknown' ? {} : { estimate: { least: estimate.least.toString(), most: estimate.most.toString() } }
}

/** Bytes of all that is text; null where a part is not, since nobody lists what a picture costs. */
function textSize({ messages, tools }: JsonObject): { promptBytes: number; messages: number } | null {
  if (!Array.isArray(messages)) return null
  let promptBytes = bytesOf(tools)
  for (const message of messages) {
    if (!isJsonObject(message)) return null
    const content = contentBytes(message['content'])
    if (content === null) return null
    promptBytes += content + bytesOf(message['tool_calls'])
  }
  return { promptBytes, messages: messages.length }
}

function bytesOf(value: JsonValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}

function contentBytes(content: JsonValue | undefined): number | null {
  if (content === undefined || content === null) return 0
  if (typeof content === 'string') return Buffer.byteLength(content)
  if (!Array.isArray(content)) return null
  let bytes = 0
  for (const part of content) {
    if (!isJsonObject(part) || typeof part['text'] !== 'string') return null
    bytes += Buffer.byteLength(part['text'])
  }
  return bytes
}

function positive(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

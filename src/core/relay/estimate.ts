import type { Model } from '../../shared/model.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { estimateChat, type ChatEstimate } from '../pricing/index.ts'

/** What a request can cost, before it is sent. */
export function estimateChatRequest(model: Model, body: JsonObject): ChatEstimate | 'unknown' {
  const size = textSize(body)
  if (!size) return 'unknown'
  const maxTokens = positive(body['max_completion_tokens'] ?? body['max_tokens'])
  const choices = positive(body['n'])
  return estimateChat(model, { ...size, webSearch: searchesWeb(body), ...(maxTokens !== undefined && { maxTokens }), ...(choices !== undefined && { choices }) })
}

/** A plugin runs beside the model, the web's or one that is not known here: it costs, and puts text into the prompt. */
export function searchesWeb({ plugins, tools }: JsonObject): boolean {
  return (Array.isArray(plugins) && plugins.length > 0) || (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool['type'] === 'web_search'))
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

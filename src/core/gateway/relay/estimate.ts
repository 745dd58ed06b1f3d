import type { Model } from '../../../shared/model.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import { estimateChat, type MaybeEstimate } from '../pricing/index.ts'
import { reasoningBudget, unpricedMember } from './priced-members.ts'
import { otherModels } from './private-name.ts'

/**
 * Estimates the least and the most that a request can cost, in pico-USD, before it's sent. Unknown if a part
 * of it isn't text, if it names several models, or if it has a member whose price isn't known (see
 * `unpricedMember`).
 */
export function estimateChatRequest(model: Model, body: JsonObject): MaybeEstimate {
  const size = textSize(body)
  const choices = positive(body['n'] ?? 1)
  // If it names several models, each has its own price.
  const thinking = reasoningBudget(body)
  if (
    !size ||
    choices === undefined ||
    thinking === undefined ||
    otherModels(body).length > 0 ||
    unpricedMember(body) !== undefined
  )
    return 'unknown'
  const limit = answerLimit(body)
  const maxTokens = limit === undefined ? undefined : limit + thinking
  // The specification doesn't have the member. A service that accepts it runs a search.
  const webSearch = searchesWeb(body) || isJsonObject(body['web_search_options'])
  return estimateChat(model, { ...size, choices, webSearch, ...(maxTokens !== undefined && { maxTokens }) })
}

/**
 * Returns the larger of two limits, because it's unknown which one the service applies. If one isn't a
 * positive number, the answer counts as unbounded.
 */
function answerLimit(body: JsonObject): number | undefined {
  let most: number | undefined
  for (const limit of [body['max_completion_tokens'], body['max_tokens']]) {
    if (limit === undefined || limit === null) continue
    const tokens = positive(limit)
    if (tokens === undefined) return undefined
    most = Math.max(most ?? 0, tokens)
  }
  return most
}

/**
 * Whether a plugin runs in addition to the model. The web plugin and unknown plugins cost money and add text
 * to the prompt.
 */
export function searchesWeb({ plugins, tools }: JsonObject): boolean {
  return (
    (Array.isArray(plugins) && plugins.length > 0) ||
    (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool['type'] === 'web_search'))
  )
}

/**
 * Counts the bytes of all text; null if a part isn't text, because no price list has the price of a picture.
 * Text of unknown members counts too, because the model may get it. Otherwise a caller could exceed a budget.
 */
function textSize(body: JsonObject): { promptBytes: number; otherBytes: number; messages: number } | null {
  const { messages, tools } = body
  if (!Array.isArray(messages)) return null
  let promptBytes = bytesOf(tools)
  let otherBytes = othersOf(body, MESSAGE_OVERHEAD)
  for (const message of messages) {
    if (!isJsonObject(message)) return null
    const content = contentBytes(message['content'])
    if (content === null) return null
    promptBytes += content + bytesOf(message['tool_calls'])
    otherBytes += othersOf(message, CONTENT_OVERHEAD)
  }
  return { promptBytes, otherBytes, messages: messages.length }
}

const MESSAGE_OVERHEAD = new Set(['messages', 'tools', 'model'])
const OF_TEXT = new Set(['type', 'text'])
const CONTENT_OVERHEAD = new Set(['content', 'tool_calls', 'role'])

function othersOf(object: JsonObject, counted: ReadonlySet<string>): number {
  let bytes = 0
  for (const name in object) {
    const value = object[name]
    // Numbers and booleans are settings.
    if (!counted.has(name) && (typeof value === 'string' || (typeof value === 'object' && value !== null)))
      bytes += bytesOf(value)
  }
  return bytes
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
    if (!isJsonObject(part) || part['type'] !== 'text' || typeof part['text'] !== 'string') return null
    bytes += Buffer.byteLength(part['text']) + othersOf(part, OF_TEXT)
  }
  return bytes
}

function positive(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

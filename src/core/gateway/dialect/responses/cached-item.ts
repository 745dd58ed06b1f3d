import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/strict-json.ts'
import type { InputItem } from './request-schema.ts'

/** An item of a cached response, as JSON text, so that its size in memory is known. */
export interface CachedItem {
  readonly id: string
  readonly json: string
}

const PLAIN_ID = /^[\w-]{1,100}$/

/** OpenAI's prefixes for the IDs of items. */
const PREFIXES = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
} as const

/**
 * Converts an item of a request to the form in which OpenAI lists it: with a type, an ID, and its content as
 * parts.
 * @param raw the item as the caller sent it
 * @param item the same item, validated
 * @param suffix of the ID if the caller sent none
 */
export function toCachedItem(raw: JsonValue, item: InputItem, suffix: string): CachedItem {
  const members: JsonObject = isJsonObject(raw) ? raw : { role: 'user', content: raw }
  const id =
    typeof members['id'] === 'string' && isPlainId(members['id'])
      ? members['id']
      : `${PREFIXES[item.type]}_${suffix}`
  const text = members['content']
  const content: JsonObject =
    typeof text !== 'string'
      ? {}
      : {
          content: [
            item.type === 'message' && item.role === 'assistant'
              ? { type: 'output_text', text, annotations: [] }
              : { type: 'input_text', text },
          ],
        }
  return { id, json: JSON.stringify({ status: 'completed', ...members, type: item.type, ...content, id }) }
}

/** Whether an ID can appear in an error's text, and in a path. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id)
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/strict-json.ts'
import type { InputItem } from './request-schema.ts'

/** An item of a cached response, as its JSON text: its size in memory is known. */
export interface CachedItem {
  readonly id: string
  readonly json: string
}

const PLAIN_ID = /^[\w-]{1,100}$/

/** How the IDs of items begin at OpenAI. */
const PREFIXES = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
} as const

/**
 * An item of a request in the form in which OpenAI lists it: with a type, an ID, and its content as parts.
 *
 * @param raw the item as the caller sent it
 * @param item the same item, validated
 * @param suffix of the ID if the caller gave none
 */
export function toCachedItem(raw: JsonValue, item: InputItem, suffix: string): CachedItem {
  const given: JsonObject = isJsonObject(raw) ? raw : { role: 'user', content: raw }
  const id =
    typeof given['id'] === 'string' && isPlainId(given['id'])
      ? given['id']
      : `${PREFIXES[item.type]}_${suffix}`
  const text = given['content']
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
  return { id, json: JSON.stringify({ status: 'completed', ...given, type: item.type, ...content, id }) }
}

/** Whether an ID can appear in an error's text, and in a path. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id)
}

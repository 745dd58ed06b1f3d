import { quotedList } from '../../../../shared/allowed-values.ts'
import { SottoError } from '../../../../shared/errors.ts'
import {
  isJsonObject,
  parseStrictJson,
  type JsonObject,
  type JsonValue,
} from '../../../../shared/strict-json.ts'
import type { PlaintextForm } from '../../relay/index.ts'

/**
 * Reads a member that has one of some values; by default (absent or null) the first of them.
 * @throws {SottoError} proxy/invalid-request – with the name of the member
 */
export function oneOf<Value extends string>(
  name: string,
  value: JsonValue | undefined,
  values: readonly [Value, ...Value[]],
): Value {
  if (value === undefined || value === null) return values[0]
  return (
    values.find((each) => each === value) ?? refuseMember(name, `It must be one of ${quotedList(values)}.`)
  )
}

/**
 * Reads a boolean of a JSON body; false if it's absent or null.
 * @throws {SottoError} proxy/invalid-request
 */
export function switchOf(name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false
  return typeof value === 'boolean' ? value : refuseMember(name, 'It must be true or false.')
}

/** @throws {SottoError} proxy/invalid-request, which names the member */
export function refuseMember(param: string, toolDetail: string): never {
  throw new SottoError('proxy/invalid-request', { param, toolDetail })
}

/**
 * Returns the fields of a form as members, with booleans as in JSON. A form has no repeated names, except
 * lists.
 */
export function membersOfForm({ fields }: PlaintextForm): JsonObject {
  return Object.fromEntries(
    fields.map(([name, value]): [string, JsonValue] => [
      name,
      name === 'stream' ? (SWITCHES.get(value) ?? value) : value,
    ]),
  )
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** Returns a form without the named fields. */
export function withoutFields({ fields, files }: PlaintextForm, names: readonly string[]): PlaintextForm {
  return { fields: fields.filter(([name]) => !names.includes(name)), files }
}

/** Returns a body without the named members. */
export function withoutMembers(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Parses an answer of the service as a JSON object; undefined if it's anything else. */
export function objectIn(answer: Uint8Array): JsonObject | undefined {
  try {
    const value = parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(answer))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Encodes texts as the bytes of a body. */
export async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) yield Buffer.from(text, 'utf8')
}

/** OpenAI's events for media require `usage`, in tokens. The service counts none for media; the receipt has the cost. */
export const NO_TOKENS = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
} as const

import { quotedList } from '../../../../shared/allowed-values.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../../shared/strict-json.ts'
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

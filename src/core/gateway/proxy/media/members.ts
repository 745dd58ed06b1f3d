import { quotedList } from '../../../../shared/allowed-values.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../../shared/strict-json.ts'
import type { PlaintextForm } from '../../relay/index.ts'

/**
 * A member that is one of some values; the first of them if it's absent or null.
 *
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

/** A switch of a JSON body; off if it's absent or null. @throws {SottoError} proxy/invalid-request */
export function switchOf(name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false
  return typeof value === 'boolean' ? value : refuseMember(name, 'It must be true or false.')
}

/** @throws {SottoError} proxy/invalid-request, which names the member */
export function refuseMember(param: string, toolDetail: string): never {
  throw new SottoError('proxy/invalid-request', { param, toolDetail })
}

/** The fields of a form as members, with switches as JSON has them. A form names no field twice, except in lists. */
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

/** A form without the fields of these names. */
export function withoutFields({ fields, files }: PlaintextForm, names: readonly string[]): PlaintextForm {
  return { fields: fields.filter(([name]) => !names.includes(name)), files }
}

/** A body without the members of these names. */
export function withoutMembers(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

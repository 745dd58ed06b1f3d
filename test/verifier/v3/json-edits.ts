import {
  isJsonObject,
  parseStrictJson,
  type JsonObject,
  type JsonValue,
} from '../../../src/verifier/strict-json.ts'

export type Path = readonly (string | number)[]

export function toJson(value: unknown): JsonValue {
  return parseStrictJson(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Each member of each object below, and the path to it. */
export function memberPaths(value: JsonValue, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => memberPaths(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...memberPaths(member, [...path, name]),
  ])
}

/** Each object below, and the path to it. */
export function objectPaths(value: JsonValue, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectPaths(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return [path, ...Object.entries(value).flatMap(([name, member]) => objectPaths(member, [...path, name]))]
}

export function valueAt(value: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, key) => (Array.isArray(at) ? at[Number(key)] : isJsonObject(at) ? at[key] : undefined),
    value,
  )
}

/** A copy with another value at a path. @param change returns undefined to remove the member */
export function edited(
  value: JsonValue,
  path: Path,
  change: (old: JsonValue) => JsonValue | undefined,
): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return change(value) ?? null
  if (Array.isArray(value))
    return value.flatMap((item, index) => (index === key ? [edited(item, rest, change)] : [item]))
  if (!isJsonObject(value)) throw new Error(`nothing at ${path.join('.')}`)
  if (rest.length > 0) return { ...value, [key]: edited(value[key] ?? null, rest, change) }
  const { [key]: old, ...others } = value
  const member = change(old ?? null)
  return member === undefined ? others : { ...value, [key]: member }
}

export function without(value: JsonValue, path: Path): JsonValue {
  return edited(value, path, () => undefined)
}

export function replaced(value: JsonValue, path: Path, by: JsonValue): JsonValue {
  return edited(value, path, () => by)
}

/** With one more member in the object at a path. */
export function extended(value: JsonValue, path: Path, member: JsonObject = { extra: 1 }): JsonValue {
  return edited(value, path, (old) => ({ ...(isJsonObject(old) ? old : {}), ...member }))
}

const PLACEHOLDER = 'placeholder-of-a-duplicate'

/** JSON text in which the member at a path is there twice, with the same value. @param name how the second one's name is written */
export function duplicated(
  value: JsonValue,
  path: Path,
  name: (plain: string) => string = (plain) => plain,
): string {
  const last = String(path.at(-1))
  const twice = extended(value, path.slice(0, -1), { [PLACEHOLDER]: valueAt(value, path) ?? null })
  return JSON.stringify(twice).replace(`"${PLACEHOLDER}"`, () => `"${name(last)}"`)
}

/** The first character as a `\u` escape. */
export function escaped(name: string): string {
  return `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`
}

/** A value of another type. */
export function ofAnotherType(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return {}
  if (isJsonObject(value)) return [value]
  return typeof value === 'string' ? [value] : 'text'
}

/** With its first letter in upper case. */
export function inAnotherCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A value that must be a text. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('not a text')
  return value
}

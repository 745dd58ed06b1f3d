import { msg } from './message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.ts'
import { decodeBase64 } from './base64.ts'
import { EvidenceError } from './text.ts'

/** A member that is absent, of another type, or beyond its limit. The message names it, and nothing of what it holds. */
export class MemberError extends EvidenceError {
  override name = 'MemberError'
  constructor(name: string) {
    super(msg('no {name} of the expected form', { name }))
  }
}

/**
 * Readers of parsed JSON, which is hostile: each takes one member of an object by its type and within its limit, and throws MemberError.
 * Members that nobody reads are passed over.
 */
export function objectIn(object: JsonObject, name: string): JsonObject {
  return objectOf(object[name], name)
}

/** The value itself, which has to be an object; `name` is what it is called. */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) throw new MemberError(name)
  return value
}

/** In proto3's JSON form null is a member that is absent. */
export function optionalObjectIn(object: JsonObject, name: string): JsonObject | undefined {
  return object[name] === undefined || object[name] === null ? undefined : objectIn(object, name)
}

/** Objects alone; none where the member is absent. @param most how many */
export function objectsIn(object: JsonObject, name: string, most: number): JsonObject[] {
  return listIn(object, name, most).map((item) => objectOf(item, name))
}

/** @param longest in UTF-16 units */
export function textIn(object: JsonObject, name: string, longest: number): string {
  return textOf(object[name], name, longest)
}

/** From zero to `most`. */
export function integerIn(object: JsonObject, name: string, most: number): number {
  const value = object[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most)
    throw new MemberError(name)
  return value
}

/** A text of this form, which has to be anchored at both ends; how long it may be is for the form or the caller to say. */
export function matchIn(object: JsonObject, name: string, form: RegExp): string {
  const value = object[name]
  if (typeof value !== 'string' || !form.test(value)) throw new MemberError(name)
  return value
}

/** Of canonical base64. @param longest in bytes, rounded up to whole groups of three */
export function bytesIn(object: JsonObject, name: string, longest: number): Buffer {
  return bytesOf(object[name], name, longest)
}

/** As bytesIn, of each item; none where the member is absent. */
export function bytesListIn(object: JsonObject, name: string, most: number, longest: number): Buffer[] {
  return listIn(object, name, most).map((item) => bytesOf(item, name, longest))
}

/** The member has to be absent, or null, which in proto3's JSON form is the same. */
export function refuseMember(object: JsonObject, name: string): void {
  if (object[name] !== undefined && object[name] !== null) throw new MemberError(name)
}

/** As textIn, of the value itself; `name` is what it is called. */
export function textOf(value: JsonValue | undefined, name: string, longest: number): string {
  if (typeof value !== 'string' || value.length > longest) throw new MemberError(name)
  return value
}

function bytesOf(value: JsonValue | undefined, name: string, longest: number): Buffer {
  const bytes = decodeBase64(textOf(value, name, Math.ceil(longest / 3) * 4))
  if (!bytes) throw new MemberError(name)
  return bytes
}

function listIn(object: JsonObject, name: string, most: number): JsonValue[] {
  const value = object[name]
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > most) throw new MemberError(name)
  return value
}

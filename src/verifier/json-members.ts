import { msg } from './message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.ts'
import { decodeBase64 } from './base64.ts'
import { EvidenceError } from './text.ts'

/**
 * A member that is absent, has another type or exceeds its limit. The message names the member, but shows
 * nothing of its value.
 */
export class MemberError extends EvidenceError {
  override name = 'MemberError'
  constructor(name: string) {
    super(msg('no {name} of the expected form', { name }))
  }
}

/**
 * Readers of parsed JSON, which is untrusted. Each reads a member of an object by its type and within its
 * limit, and throws MemberError. Members without a reader are ignored.
 */
export function objectIn(object: JsonObject, name: string): JsonObject {
  return objectOf(object[name], name)
}

/** Returns the value, which must be an object. @param name the member's name, for the error */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) throw new MemberError(name)
  return value
}

/** The JSON form of proto3 treats null as an absent member. */
export function optionalObjectIn(object: JsonObject, name: string): JsonObject | undefined {
  return object[name] === undefined || object[name] === null ? undefined : objectIn(object, name)
}

/** A list of objects, empty if the member is absent. @param most the largest number of items */
export function objectsIn(object: JsonObject, name: string, most: number): JsonObject[] {
  return listIn(object, name, most).map((item) => objectOf(item, name))
}

/** @param longest in UTF-16 units */
export function textIn(object: JsonObject, name: string, longest: number): string {
  return textOf(object[name], name, longest)
}

/** An integer from zero to `most`. */
export function integerIn(object: JsonObject, name: string, most: number): number {
  const value = object[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most)
    throw new MemberError(name)
  return value
}

/**
 * A text that matches `form`, which must be anchored at both ends. The form or the caller limits the length.
 */
export function matchIn(object: JsonObject, name: string, form: RegExp): string {
  const value = object[name]
  if (typeof value !== 'string' || !form.test(value)) throw new MemberError(name)
  return value
}

/** Decodes canonical base64. @param longest in bytes, rounded up to whole groups of three */
export function bytesIn(object: JsonObject, name: string, longest: number): Buffer {
  return bytesOf(object[name], name, longest)
}

/** Like `bytesIn` for each item of a list. Empty if the member is absent. */
export function bytesListIn(object: JsonObject, name: string, most: number, longest: number): Buffer[] {
  return listIn(object, name, most).map((item) => bytesOf(item, name, longest))
}

/** Refuses a member unless it is absent or null, which the JSON form of proto3 treats alike. */
export function refuseMember(object: JsonObject, name: string): void {
  if (object[name] !== undefined && object[name] !== null) throw new MemberError(name)
}

/** Like `textIn`, for the value itself. @param name the member's name, for the error */
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

import { msg } from '../message.ts'
import { isJsonObject, parseStrictJson, type JsonObject, type JsonValue } from '../strict-json.ts'
import { objectOf } from '../json-members.ts'
import { EvidenceError } from '../text.ts'

const WHOLE = /^(?:0|[1-9]\d*)$/

/**
 * Parses JSON in which two readers can't see different things: no duplicate member, no member `__proto__`
 * (schemas skip it), no text with half a surrogate pair.
 * @throws {Error} for any other bytes, also those that aren't UTF-8 or begin with a byte order mark
 */
export function parseUnambiguousJson(bytes: Uint8Array): JsonValue {
  const value = parseStrictJson(bytes)
  refuseHiddenParts(value)
  return value
}

/**
 * Like `parseUnambiguousJson`, for a document that must be an object.
 *
 * @param name the document's name, for the error
 * @throws {EvidenceError} the bytes aren't strict JSON in UTF-8, or not an object
 */
export function readUnambiguousObject(bytes: Uint8Array, name: string): JsonObject {
  let value: JsonValue
  try {
    value = parseUnambiguousJson(bytes)
  } catch {
    throw new EvidenceError(msg('a text that isn’t strict JSON in UTF-8'))
  }
  return objectOf(value, name)
}

/**
 * Like `parseUnambiguousJson`, but returns integers as bigints, so that 64 bits stay exact. `1.0` and `1e3`
 * stay numbers, so a schema of bigints refuses them, because another reader may not treat them as integers.
 *
 * @throws {Error} for any other bytes
 */
export function parseExactIntegers(bytes: Uint8Array): unknown {
  parseUnambiguousJson(bytes)
  return JSON.parse(
    // The strict parser has refused bytes that aren't UTF-8 and a byte order mark, so any decoder gives the same text.
    new TextDecoder().decode(bytes),
    (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
      const source = context?.source
      return typeof value === 'number' && source !== undefined && WHOLE.test(source) ? BigInt(source) : value
    },
  )
}

function refuseHiddenParts(value: JsonValue): void {
  if (typeof value === 'string') requireWellFormed(value)
  else if (Array.isArray(value)) value.forEach(refuseHiddenParts)
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      requireWellFormed(name)
      if (name === '__proto__') throw new Error('a member called __proto__')
      refuseHiddenParts(member)
    }
  }
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed()) throw new Error('half a surrogate pair')
}

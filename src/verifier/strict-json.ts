export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export interface JsonObject {
  [member: string]: JsonValue
}

export type StrictJsonFault = 'syntax' | 'duplicate-member' | 'too-deep' | 'too-many'

/** Why a text isn't strict JSON. */
export class StrictJsonError extends Error {
  override name = 'StrictJsonError'
  readonly fault: StrictJsonFault
  /** The name of the duplicate member. An attacker may have chosen it. */
  readonly member: string | undefined
  constructor(fault: StrictJsonFault, member?: string) {
    super(`not strict JSON: ${fault}`)
    this.fault = fault
    this.member = member
  }
}

const MAX_DEPTH = 128
/**
 * The limit of objects, arrays and members in a text. The values parsed from a text full of them take forty
 * times its size.
 */
const MAX_PARTS = 1_000_000

/** Keeps a byte order mark, which JSON forbids. Refuses bytes that aren't UTF-8 instead of replacing them. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses RFC 8259 JSON in which no object names a member twice. It refuses duplicates because two parsers
 * could read them differently. Bytes must be UTF-8 without a byte order mark. The caller limits the size.
 * Throws StrictJsonError.
 */
export function parseStrictJson(json: string | Uint8Array): JsonValue {
  const text = typeof json === 'string' ? json : decode(json)
  refuseHostileForm(text)
  return parse(text)
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new StrictJsonError('syntax')
  }
}

function parse(text: string): JsonValue {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- JSON.parse makes exactly these values
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    throw new StrictJsonError('syntax')
  }
}

/** Whether a value is an object, and neither null nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether every number has the exact value of its text. Other readers may use wider numbers, so they'd read
 * integers beyond 2^53 and overflowing numbers differently.
 */
export function hasExactNumbers(value: JsonValue): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (typeof value !== 'object' || value === null) return true
  return (Array.isArray(value) ? value : Object.values(value)).every(hasExactNumbers)
}

/**
 * Scans the text once, before JSON.parse checks its syntax. The result for invalid JSON doesn't matter,
 * because JSON.parse refuses it afterwards. Strings are skipped by search, so large attachments cost little.
 */
function refuseHostileForm(text: string): void {
  /** The members of each open object so far; null for an open array. */
  const open: (Set<string> | null)[] = []
  let parts = 0
  let expectsName = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        parts++
        open.push(new Set())
        expectsName = true
        break
      case 0x5b: // [
        parts++
        open.push(null)
        expectsName = false
        break
      case 0x7d: // }
      case 0x5d: // ]
        open.pop()
        expectsName = false
        break
      case 0x2c: // ,
        expectsName = open.at(-1) instanceof Set
        break
      case 0x22: {
        // "
        const end = closingQuote(text, at + 1)
        if (end < 0) throw new StrictJsonError('syntax')
        if (expectsName) {
          const members = open.at(-1)
          const name = nameOf(text.slice(at, end + 1))
          if (members?.has(name)) throw new StrictJsonError('duplicate-member', name)
          members?.add(name)
          parts++
          expectsName = false
        }
        at = end
        break
      }
    }
    if (open.length > MAX_DEPTH) throw new StrictJsonError('too-deep')
    if (parts > MAX_PARTS) throw new StrictJsonError('too-many')
  }
}

/** Returns -1 if there is no closing quote. */
function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) break
  }
  return end
}

/** Decodes escapes, because "a" and "\u0061" are the same name. */
function nameOf(quoted: string): string {
  const plain = quoted.slice(1, -1)
  if (!quoted.includes('\\')) return plain
  const name = parse(quoted)
  return typeof name === 'string' ? name : plain
}

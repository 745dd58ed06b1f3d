export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export interface JsonObject { [member: string]: JsonValue }

export type StrictJsonFault = 'syntax' | 'duplicate-member' | 'too-deep'

export class StrictJsonError extends Error {
  override name = 'StrictJsonError'
  readonly fault: StrictJsonFault
  constructor(fault: StrictJsonFault) {
    super(`not strict JSON: ${fault}`)
    this.fault = fault
  }
}

const MAX_DEPTH = 128

/**
 * RFC 8259 JSON in which no object names a member twice: where two parsers could disagree about a text, neither is asked.
 * The caller limits the size. Throws StrictJsonError.
 */
export function parseStrictJson(text: string): JsonValue {
  let value: JsonValue
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- JSON.parse makes exactly these values
    value = JSON.parse(text)
  } catch {
    throw new StrictJsonError('syntax')
  }
  refuseDuplicateMembers(text)
  return value
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether every number is the one that its text says: integers beyond 2^53 and numbers without end would be read otherwise here than by a
 * reader with wider ones.
 */
export function hasExactNumbers(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (typeof value !== 'object' || value === null) return true
  return (Array.isArray(value) ? value : Object.values(value)).every(hasExactNumbers)
}

/** One pass over text that JSON.parse has accepted; strings are skipped by search, so large attachments cost little. */
function refuseDuplicateMembers(text: string): void {
  /** The members seen of each open object; null stands for an open array. */
  const open: (Set<string> | null)[] = []
  let expectsName = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set())
        expectsName = true
        break
      case 0x5b: // [
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
      case 0x22: { // "
        const end = closingQuote(text, at + 1)
        if (expectsName) {
          const members = open.at(-1)
          const name = nameOf(text.slice(at, end + 1))
          if (members?.has(name)) throw new StrictJsonError('duplicate-member')
          members?.add(name)
          expectsName = false
        }
        at = end
        break
      }
    }
    if (open.length > MAX_DEPTH) throw new StrictJsonError('too-deep')
  }
}

function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/** Two spellings of one name are one name: "a" and "\u0061". */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}

import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'

/**
 * Strings of this length are written separately, because JSON.stringify takes four times as long for one as
 * the checks below and a copy.
 */
const LONG = 64 * 1024

/**
 * Returns the UTF-8 bytes of JSON.stringify(value), for a value parsed from JSON. Attachments are long
 * strings, and rarely need escapes.
 */
export function jsonBytes(value: JsonObject): Buffer {
  if (!holdsLong(value)) return Buffer.from(JSON.stringify(value))
  const texts = new Texts()
  write(value, texts)
  return texts.bytes() ?? Buffer.from(JSON.stringify(value))
}

function isLong(value: JsonValue): value is string {
  return typeof value === 'string' && value.length >= LONG
}

function holdsLong(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return isLong(value)
  if (Array.isArray(value)) return value.some(holdsLong)
  for (const name in value) {
    const inner = value[name]
    if (inner !== undefined && holdsLong(inner)) return true
  }
  return false
}

function write(value: JsonValue, texts: Texts): void {
  if (isLong(value) && value.isWellFormed()) texts.addLong(value)
  else if (Array.isArray(value)) {
    texts.add('[')
    value.forEach((inner, index) => {
      if (index > 0) texts.add(',')
      write(inner, texts)
    })
    texts.add(']')
  } else if (typeof value === 'object' && value !== null) {
    texts.add('{')
    Object.entries(value).forEach(([name, inner], index) => {
      texts.add(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`)
      write(inner, texts)
    })
    texts.add('}')
  } else texts.add(JSON.stringify(value))
}

/** Parts of the JSON text: long strings, and the text between them. */
class Texts {
  readonly #done: { readonly text: string; readonly length: number; readonly long: boolean }[] = []
  #between = ''

  add(text: string): void {
    this.#between += text
  }

  addLong(text: string): void {
    this.#between += '"'
    this.#close()
    this.#done.push({ text, length: Buffer.byteLength(text), long: true })
    this.#between = '"'
  }

  /** Undefined if a long string has a character that needs an escape. */
  bytes(): Buffer | undefined {
    this.#close()
    // A separate buffer, not part of Node's pool.
    const bytes = Buffer.allocUnsafeSlow(this.#done.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const { text, length, long } of this.#done) {
      bytes.write(text, at)
      if (long && needsEscape(bytes.subarray(at, at + length))) return undefined
      at += length
    }
    return bytes
  }

  #close(): void {
    this.#done.push({ text: this.#between, length: Buffer.byteLength(this.#between), long: false })
  }
}

/** Whether a quotation mark, a reverse solidus or a control character occurs (RFC 8259 section 7). */
function needsEscape(bytes: Buffer): boolean {
  if (bytes.includes(0x22) || bytes.includes(0x5c)) return true
  let at = 0
  for (; (bytes.byteOffset + at) % 4 !== 0 && at < bytes.length; at++)
    if ((bytes[at] ?? 0) < 0x20) return true
  const integers = new Int32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >> 2)
  // Four bytes at a time: the subtraction sets the high bit of a byte below 0x20 whose high bit was clear. An
  // iterator takes ten times as long.
  for (let index = 0; index < integers.length; index++) {
    const word = integers[index] ?? 0
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0) return true
  }
  for (at += integers.length * 4; at < bytes.length; at++) if ((bytes[at] ?? 0) < 0x20) return true
  return false
}

import { DerError } from './error.ts'
import { tags } from './reader.ts'

/** X.690 section 11.1: TRUE is FF. Throws DerError. */
export function decodeBoolean(content: Uint8Array): boolean {
  if (content.length !== 1 || (content[0] !== 0x00 && content[0] !== 0xff)) throw new DerError('boolean')
  return content[0] === 0xff
}

/**
 * Checks that an INTEGER has no superfluous leading byte (X.690 section 8.3.2). Returns the content
 * unchanged. Throws DerError.
 */
export function checkInteger(content: Uint8Array): Uint8Array {
  const [first, second] = content
  if (first === undefined) throw new DerError('integer')
  if (second !== undefined && ((first === 0x00 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError('integer')
  return content
}

/** A non-negative INTEGER of at most 31 bits. Throws DerError. */
export function decodeSmallInteger(content: Uint8Array): number {
  checkInteger(content)
  if (content.length > 4 || (content[0] ?? 0x80) >= 0x80) throw new DerError('integer')
  return content.reduce((value, byte) => value * 256 + byte, 0)
}

/** A BIT STRING of whole bytes, such as a key or a signature. Throws DerError. */
export function decodeOctetBits(content: Uint8Array): Uint8Array {
  if (content[0] !== 0) throw new DerError('bit-string')
  return content.subarray(1)
}

/**
 * Returns the numbers of the set bits of a BIT STRING of named bits. Throws DerError.
 *
 * X.690 section 11.2.2 forbids trailing zero bits, but they are accepted: keyUsage of AMD's intermediates has
 * one, and zero bits name nothing.
 */
export function decodeNamedBits(content: Uint8Array): ReadonlySet<number> {
  const [unused] = content
  if (unused === undefined || unused > 7 || (content.length === 1 && unused !== 0))
    throw new DerError('bit-string')
  const last = content.length > 1 ? (content[content.length - 1] ?? 0) : 0
  if ((last & ((1 << unused) - 1)) !== 0) throw new DerError('bit-string')
  const set = new Set<number>()
  for (let i = 1; i < content.length; i++) {
    for (let bit = 0; bit < 8; bit++) {
      if (((content[i] ?? 0) & (0x80 >> bit)) !== 0) set.add((i - 1) * 8 + bit)
    }
  }
  return set
}

/** NULL has no content (X.690 section 8.8.2). Throws DerError. */
export function checkNull(content: Uint8Array): void {
  if (content.length !== 0) throw new DerError('null')
}

/** X.690 section 8.19, in dotted form. Arcs are limited to 28 bits. Throws DerError. */
export function decodeObjectIdentifier(content: Uint8Array): string {
  let dotted = ''
  let arc = 0
  let bytes = 0
  for (const byte of content) {
    // The first byte of an arc isn't padding.
    if (bytes === 0 && byte === 0x80) throw new DerError('object-identifier')
    if (++bytes > 4) throw new DerError('object-identifier')
    arc = (arc << 7) | (byte & 0x7f)
    if (byte >= 0x80) continue
    if (dotted === '') {
      const root = Math.min(Math.floor(arc / 40), 2)
      dotted = `${root}.${arc - root * 40}`
    } else {
      dotted += `.${arc}`
    }
    arc = 0
    bytes = 0
  }
  if (dotted === '' || bytes !== 0) throw new DerError('object-identifier')
  return dotted
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/
// eslint-disable-next-line no-control-regex -- IA5 is exactly these.
const IA5 = /^[\x00-\x7f]*$/

/**
 * UTF8String, PrintableString or IA5String, by its tag. Throws DerError for any other, and for characters
 * that its type does not have.
 */
export function decodeString(tag: number, content: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(content)
  } catch {
    throw new DerError('string')
  }
  if (tag === tags.utf8String) return text
  if (tag === tags.printableString && PRINTABLE.test(text)) return text
  if (tag === tags.ia5String) return decodeIa5(content)
  throw new DerError('string')
}

/** Decodes the content of an IA5String, with its own or an implicit tag. Throws DerError. */
export function decodeIa5(content: Uint8Array): string {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
  if (!IA5.test(text)) throw new DerError('string')
  return text
}

const ZULU = 0x5a

/**
 * UTCTime or GeneralizedTime as RFC 5280 section 4.1.2.5 profiles them: to the second, in UTC. Returns Unix
 * ms. Throws DerError.
 */
export function decodeTime(tag: number, content: Uint8Array): number {
  if (tag !== tags.utcTime && tag !== tags.generalizedTime) throw new DerError('tag-unexpected')
  const yearDigits = tag === tags.utcTime ? 2 : 4
  if (content.length !== yearDigits + 11 || content[yearDigits + 10] !== ZULU) throw new DerError('time')
  const stated = decimal(content, 0, yearDigits)
  const year = yearDigits === 4 ? stated : stated + (stated < 50 ? 2000 : 1900)
  const month = decimal(content, yearDigits, 2)
  const day = decimal(content, yearDigits + 2, 2)
  const hour = decimal(content, yearDigits + 4, 2)
  const minute = decimal(content, yearDigits + 6, 2)
  const second = decimal(content, yearDigits + 8, 2)
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysIn(year, month) ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    throw new DerError('time')
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  if (year < 100) throw new DerError('time')
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function decimal(content: Uint8Array, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = (content[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) throw new DerError('time')
    value = value * 10 + digit
  }
  return value
}

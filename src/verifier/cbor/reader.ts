import { CborError } from './error.ts'

/** Numbers are safe integers. A map's keys keep their type: 1 and "1" are different keys. */
export type CborValue = null | number | string | Uint8Array | readonly CborValue[] | CborMap
export type CborMap = ReadonlyMap<number | string, CborValue>

/** RFC 8949 section 3.1. */
const majors = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const
const NULL = 22
const FIRST_ARGUMENT_BYTE = 24
const INDEFINITE = 31
const MAX_BYTES = 1 << 16
const MAX_DEPTH = 8

interface Head {
  readonly major: number
  /** A count, a length, a value or a tag number, depending on the major type. */
  readonly argument: number
}

/**
 * Decodes a single data item that fills the whole input. The input is untrusted.
 *
 * Accepts definite lengths, shortest heads, unsigned and negative integers within 2^53, byte and text
 * strings, arrays, maps and null. The keys of a map are unique and are integers or text. Floats, booleans and
 * tags are refused, because no format of the verifier uses them. The only exception is `optionalTag` around
 * the whole item.
 *
 * Limits: 64 KiB and 8 levels. A count that exceeds the remaining bytes is refused before anything is
 * allocated for it.
 *
 * @param optionalTag the only tag number that may enclose the item
 * @throws {CborError} if the input breaks one of these rules
 */
export function decodeCbor(input: Uint8Array, optionalTag?: number): CborValue {
  if (input.length > MAX_BYTES) throw new CborError('too-large')
  const reader = new Reader(input)
  const value = reader.item(optionalTag)
  reader.end()
  return value
}

/**
 * Keeps a byte order mark as a character of the text. Refuses bytes that aren't UTF-8 instead of replacing
 * them.
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class Reader {
  private readonly input: Uint8Array
  private at = 0

  constructor(input: Uint8Array) {
    // A plain Uint8Array, because slices of a Buffer would be Buffers too.
    this.input = new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
  }

  end(): void {
    if (this.at !== this.input.length) throw new CborError('trailing-bytes')
  }

  item(optionalTag?: number, depth = 0): CborValue {
    if (depth > MAX_DEPTH) throw new CborError('too-deep')
    const { major, argument } = this.head()
    switch (major) {
      case majors.unsigned:
        return argument
      case majors.negative:
        return negative(argument)
      case majors.bytes:
        return this.take(argument)
      case majors.text:
        return decodeText(this.take(argument))
      case majors.array:
        return this.array(argument, depth)
      case majors.map:
        return this.map(argument, depth)
      case majors.tag:
        if (argument !== optionalTag) throw new CborError('tag-unexpected')
        return this.item(undefined, depth + 1)
      default:
        if (argument !== NULL) throw new CborError('type-unsupported')
        return null
    }
  }

  private array(count: number, depth: number): readonly CborValue[] {
    this.expect(count)
    const items: CborValue[] = []
    for (let index = 0; index < count; index++) items.push(this.item(undefined, depth + 1))
    return items
  }

  private map(count: number, depth: number): CborMap {
    this.expect(2 * count)
    const map = new Map<number | string, CborValue>()
    for (let index = 0; index < count; index++) {
      const key = this.item(undefined, depth + 1)
      if (typeof key !== 'number' && typeof key !== 'string') throw new CborError('key-unsupported')
      if (map.has(key)) throw new CborError('key-duplicate')
      map.set(key, this.item(undefined, depth + 1))
    }
    return map
  }

  /** RFC 8949 section 3: a type and an argument, in the fewest bytes (section 4.1). */
  private head(): Head {
    const initial = this.byte()
    const major = initial >> 5
    const information = initial & 0x1f
    if (information < FIRST_ARGUMENT_BYTE) return { major, argument: information }
    if (information === INDEFINITE) throw new CborError('length-indefinite')
    // The bytes after a simple value's head are a float or have no assigned meaning.
    if (major === majors.simple) throw new CborError('type-unsupported')
    const exponent = information - FIRST_ARGUMENT_BYTE
    if (exponent > 3) throw new CborError('head-reserved')
    const length = 1 << exponent
    let argument = 0
    for (let index = 0; index < length; index++) argument = argument * 0x100 + this.byte()
    const shorter = length === 1 ? FIRST_ARGUMENT_BYTE : 2 ** (4 * length)
    if (argument < shorter) throw new CborError('head-not-minimal')
    // Above 2^53 the sum isn't exact, but it stays above 2^53.
    if (!Number.isSafeInteger(argument)) throw new CborError('integer-too-large')
    return { major, argument }
  }

  private byte(): number {
    const byte = this.input[this.at]
    if (byte === undefined) throw new CborError('truncated')
    this.at++
    return byte
  }

  private take(length: number): Uint8Array {
    this.expect(length)
    const start = this.at
    this.at += length
    return this.input.subarray(start, this.at)
  }

  /** Each item takes at least a byte, so a count can't exceed the remaining bytes. */
  private expect(bytes: number): void {
    if (bytes > this.input.length - this.at) throw new CborError('truncated')
  }
}

function negative(argument: number): number {
  const value = -1 - argument
  if (!Number.isSafeInteger(value)) throw new CborError('integer-too-large')
  return value
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new CborError('text')
  }
}

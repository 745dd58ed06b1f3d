import { CborError } from './error.ts'

/** Numbers are safe integers. Keys of a map keep their type: 1 and "1" are two. */
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
  /** Count, length, value or tag number, by the major type. */
  readonly argument: number
}

/**
 * Decodes one data item that fills its input: definite lengths, shortest heads, unsigned and negative integers within 2^53, byte and text
 * strings, arrays, maps whose keys are integers or text and stand once, and null. Floats, booleans and tags are refused: nothing read here
 * has one, but for the tag that the caller names, which may stand around the whole. Everything it is given is hostile: limits are 64 KiB
 * and 8 levels, and a count that the bytes left cannot hold is refused before anything is made of it. Throws CborError.
 *
 * @param optionalTag the one tag number that may enclose the item
 */
export function decodeCbor(input: Uint8Array, optionalTag?: number): CborValue {
  if (input.length > MAX_BYTES) throw new CborError('too-large')
  const reader = new Reader(input)
  const value = reader.item(optionalTag)
  reader.end()
  return value
}

/** A byte order mark is a character of the text, and bytes that are not UTF-8 are not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class Reader {
  private readonly input: Uint8Array
  private at = 0

  constructor(input: Uint8Array) {
    // A plain view: parts of a Buffer would be Buffers again.
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
    // What follows a simple value's head is a float, or one of no meaning.
    if (major === majors.simple) throw new CborError('type-unsupported')
    const exponent = information - FIRST_ARGUMENT_BYTE
    if (exponent > 3) throw new CborError('head-reserved')
    const length = 1 << exponent
    let argument = 0
    for (let index = 0; index < length; index++) argument = argument * 0x100 + this.byte()
    const shorter = length === 1 ? FIRST_ARGUMENT_BYTE : 2 ** (4 * length)
    if (argument < shorter) throw new CborError('head-not-minimal')
    // Above 2^53 the sum above is no longer exact, but stays above.
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

  /** No item is shorter than a byte. */
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

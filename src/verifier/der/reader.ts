import { DerError } from './error.ts'

/** Universal tags, and the context-specific ones of a given number (X.690 section 8.1.2). */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  primitive: (number: number) => 0x80 | number,
  constructed: (number: number) => 0xa0 | number,
} as const

const CONSTRUCTED = 0x20
/** Number 31 announces a tag of several bytes, which no format of the verifier uses. */
const HIGH_TAG_NUMBER = 0x1f
const MAX_BYTES = 1 << 16
const MAX_DEPTH = 16

/** An element of a reader's input. Its getters create views of the input on demand. */
export class DerElement {
  readonly tag: number
  private readonly input: Uint8Array
  private readonly start: number
  private readonly contentStart: number
  private readonly end: number

  constructor(tag: number, input: Uint8Array, start: number, contentStart: number, end: number) {
    this.tag = tag
    this.input = input
    this.start = start
    this.contentStart = contentStart
    this.end = end
  }

  /** Tag, length and content. */
  get bytes(): Uint8Array {
    return this.input.subarray(this.start, this.end)
  }

  get content(): Uint8Array {
    return this.input.subarray(this.contentStart, this.end)
  }
}

/**
 * Reads DER elements one after another: definite lengths in their shortest form, single-byte tags. The input
 * is untrusted: limits are 64 KiB and 16 levels. Each method throws DerError.
 *
 * A reader of nested elements reads the same bytes between two bounds, so a list of a thousand entries needs
 * no view for each.
 */
export class DerReader {
  private readonly input: Uint8Array
  private readonly depth: number
  private readonly limit: number
  private at: number
  /** Where the content of the last read element begins. */
  private contentStart = 0

  /**
   * @param from the offset of the first byte to read
   * @param limit the offset after the last byte to read. A reader of nested elements has narrower bounds than
   * the input.
   */
  constructor(input: Uint8Array, depth = 0, from = 0, limit = input.length) {
    if (input.length > MAX_BYTES) throw new DerError('too-large')
    if (depth > MAX_DEPTH) throw new DerError('too-deep')
    // A plain Uint8Array, because each slice of a Buffer is a Buffer too and costs several times as much.
    this.input =
      input.constructor === Uint8Array
        ? input
        : new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    this.depth = depth
    this.at = from
    this.limit = limit
  }

  atEnd(): boolean {
    return this.at === this.limit
  }

  /** The next element's tag, or undefined at the end. */
  get nextTag(): number | undefined {
    return this.at < this.limit ? this.input[this.at] : undefined
  }

  any(): DerElement {
    const start = this.at
    const tag = this.pass()
    return new DerElement(tag, this.input, start, this.contentStart, this.at)
  }

  element(tag: number): DerElement {
    this.expect(tag)
    return this.any()
  }

  content(tag: number): Uint8Array {
    this.expect(tag)
    this.pass()
    return this.input.subarray(this.contentStart, this.at)
  }

  optional(tag: number): Uint8Array | undefined {
    return this.nextTag === tag ? this.content(tag) : undefined
  }

  /** Returns a reader of the elements inside the next element. */
  enter(tag: number): DerReader {
    if ((tag & CONSTRUCTED) === 0) throw new DerError('tag-unexpected')
    this.expect(tag)
    this.pass()
    return new DerReader(this.input, this.depth + 1, this.contentStart, this.at)
  }

  enterOptional(tag: number): DerReader | undefined {
    return this.nextTag === tag ? this.enter(tag) : undefined
  }

  end(): void {
    if (!this.atEnd()) throw new DerError('trailing-bytes')
  }

  private expect(tag: number): void {
    const next = this.nextTag
    if (next === undefined) throw new DerError('truncated')
    if (next !== tag) throw new DerError('tag-unexpected')
  }

  /**
   * Skips the next element, which must end within the limit, and records where its content begins. Returns
   * its tag.
   */
  private pass(): number {
    const tag = this.byteAt(this.at)
    if ((tag & HIGH_TAG_NUMBER) === HIGH_TAG_NUMBER) throw new DerError('tag-unsupported')
    const end = this.endAt(this.at + 1)
    if (end > this.limit) throw new DerError('truncated')
    this.at = end
    return tag
  }

  private byteAt(index: number): number {
    const byte = index < this.limit ? this.input[index] : undefined
    if (byte === undefined) throw new DerError('truncated')
    return byte
  }

  /**
   * Reads the length at `index` (X.690 sections 8.1.3 and 10.1). Records where the content begins, and
   * returns where it ends.
   */
  private endAt(index: number): number {
    const first = this.byteAt(index)
    if (first < 0x80) {
      this.contentStart = index + 1
      return index + 1 + first
    }
    if (first === 0x80) throw new DerError('length-indefinite')
    const count = first & 0x7f
    if (this.byteAt(index + 1) === 0) throw new DerError('length-not-minimal')
    // A length in three bytes exceeds the limit of the input.
    if (count > 2) throw new DerError('truncated')
    let length = 0
    for (let i = 1; i <= count; i++) length = (length << 8) | this.byteAt(index + i)
    if (length < 0x80) throw new DerError('length-not-minimal')
    this.contentStart = index + 1 + count
    return this.contentStart + length
  }
}

/** Returns the content of the only element that the bytes hold, with nothing after it. Throws DerError. */
export function soleElement(bytes: Uint8Array, tag: number): Uint8Array {
  const reader = new DerReader(bytes)
  const content = reader.content(tag)
  reader.end()
  return content
}

/**
 * Returns a reader inside the only element that the bytes hold, which is constructed and has nothing after
 * it. Throws DerError.
 */
export function enterSole(bytes: Uint8Array, tag: number): DerReader {
  const reader = new DerReader(bytes)
  const inner = reader.enter(tag)
  reader.end()
  return inner
}

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
/** Number 31 announces a tag of several bytes; nothing read here has one. */
const HIGH_TAG_NUMBER = 0x1f
const MAX_BYTES = 1 << 16
const MAX_DEPTH = 16

export interface DerElement {
  readonly tag: number
  /** Tag, length and content. */
  readonly bytes: Uint8Array
  readonly content: Uint8Array
}

/**
 * Reads DER elements one after another: definite lengths in their shortest form, single-byte tags.
 * Everything it is given is hostile: limits are 64 KiB of input and 16 levels. Each method throws DerError.
 */
export class DerReader {
  private readonly input: Uint8Array
  private readonly depth: number
  private at = 0

  constructor(input: Uint8Array, depth = 0) {
    if (input.length > MAX_BYTES) throw new DerError('too-large')
    if (depth > MAX_DEPTH) throw new DerError('too-deep')
    // A plain view: a Buffer makes each part of itself a Buffer again, at several times the cost.
    this.input = input.constructor === Uint8Array ? input : new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    this.depth = depth
  }

  atEnd(): boolean {
    return this.at === this.input.length
  }

  /** The next element's tag, or undefined at the end. */
  get nextTag(): number | undefined {
    return this.input[this.at]
  }

  /** The next element, whatever its tag. */
  any(): DerElement {
    const start = this.at
    const tag = this.byteAt(start)
    if ((tag & HIGH_TAG_NUMBER) === HIGH_TAG_NUMBER) throw new DerError('tag-unsupported')
    const [length, contentStart] = this.lengthAt(start + 1)
    const end = contentStart + length
    if (end > this.input.length) throw new DerError('truncated')
    this.at = end
    return { tag, bytes: this.input.subarray(start, end), content: this.input.subarray(contentStart, end) }
  }

  element(tag: number): DerElement {
    if (this.nextTag === undefined) throw new DerError('truncated')
    if (this.nextTag !== tag) throw new DerError('tag-unexpected')
    return this.any()
  }

  content(tag: number): Uint8Array {
    return this.element(tag).content
  }

  optional(tag: number): Uint8Array | undefined {
    return this.nextTag === tag ? this.any().content : undefined
  }

  /** A reader of the next element's own elements. */
  enter(tag: number): DerReader {
    if ((tag & CONSTRUCTED) === 0) throw new DerError('tag-unexpected')
    return new DerReader(this.content(tag), this.depth + 1)
  }

  enterOptional(tag: number): DerReader | undefined {
    return this.nextTag === tag ? this.enter(tag) : undefined
  }

  end(): void {
    if (!this.atEnd()) throw new DerError('trailing-bytes')
  }

  private byteAt(index: number): number {
    const byte = this.input[index]
    if (byte === undefined) throw new DerError('truncated')
    return byte
  }

  /** X.690 sections 8.1.3 and 10.1. Returns the length, and where the content begins. */
  private lengthAt(index: number): [length: number, contentStart: number] {
    const first = this.byteAt(index)
    if (first < 0x80) return [first, index + 1]
    if (first === 0x80) throw new DerError('length-indefinite')
    const count = first & 0x7f
    if (this.byteAt(index + 1) === 0) throw new DerError('length-not-minimal')
    // Three bytes say more than the limit of the input.
    if (count > 2) throw new DerError('truncated')
    let length = 0
    for (let i = 1; i <= count; i++) length = (length << 8) | this.byteAt(index + i)
    if (length < 0x80) throw new DerError('length-not-minimal')
    return [length, index + 1 + count]
  }
}

/** The one element that the bytes hold, with nothing after it. */
export function soleElement(bytes: Uint8Array, tag: number): Uint8Array {
  const reader = new DerReader(bytes)
  const content = reader.content(tag)
  reader.end()
  return content
}

/** A reader of the elements of the one constructed element that the bytes hold. */
export function enterSole(bytes: Uint8Array, tag: number): DerReader {
  const reader = new DerReader(bytes)
  const inner = reader.enter(tag)
  reader.end()
  return inner
}

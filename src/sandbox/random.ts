import { createHmac, randomBytes, hash } from 'node:crypto'

/** The source of identifiers and keys: the system, or a seed that makes a run repeatable. */
export type RandomBytes = (length: number) => Buffer

/** HMAC-SHA256 over a counter. The same seed gives the same bytes in the same order: for demonstrations, never for secrets. */
export function seededBytes(seed: string): RandomBytes {
  let counter = 0
  return (length) => {
    const blocks: Buffer[] = []
    for (let filled = 0; filled < length; filled += 32)
      blocks.push(createHmac('sha256', seed).update(String(counter++)).digest())
    return Buffer.concat(blocks).subarray(0, length)
  }
}

export const systemBytes: RandomBytes = (length) => randomBytes(length)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/**
 * The largest multiple of the alphabet's length below 256. Bytes above it would favor the first letters.
 */
const evenBelow = 256 - (256 % alphabet.length)

export function alphanumerics(random: RandomBytes, count: number): string {
  let text = ''
  while (text.length < count) {
    for (const byte of random(count))
      if (byte < evenBelow && text.length < count) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}

/** UUID, version 4 (RFC 9562). */
export function uuid(random: RandomBytes): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Choices that depend only on a seed: the same prompt gets the same answer. */
export class Chance {
  #state: Buffer
  #at = 0

  constructor(seed: string) {
    this.#state = hash('sha256', seed, 'buffer')
  }

  /** An integer in [0, below). */
  below(below: number): number {
    if (this.#at + 4 > this.#state.length) {
      this.#state = hash('sha256', this.#state, 'buffer')
      this.#at = 0
    }
    const value = this.#state.readUInt32BE(this.#at)
    this.#at += 4
    return value % below
  }

  /** One of `choices`, which is never empty. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.below(256).toString(16).padStart(2, '0')).join('')
  }
}

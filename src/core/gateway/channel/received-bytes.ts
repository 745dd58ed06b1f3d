import { createHash, hash, type Hash } from 'node:crypto'

const NOTHING = new Uint8Array()

/**
 * Counts and hashes a body as it comes. An answer that is not streamed mostly comes in one chunk, and is hashed in one call
 * at the end: that takes a third of the time that an object of its own would.
 */
export class ReceivedBytes {
  #bytes = 0
  #only: Uint8Array = NOTHING
  #hash: Hash | undefined

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps a reference to the first chunk: nobody may change it afterwards. */
  note(chunk: Uint8Array): void {
    if (this.#bytes === 0) this.#only = chunk
    else {
      this.#hash ??= createHash('sha256').update(this.#only)
      this.#only = NOTHING
      this.#hash.update(chunk)
    }
    this.#bytes += chunk.byteLength
  }

  /** The same, and hands it on. */
  noted(chunk: Uint8Array): readonly [Uint8Array] {
    this.note(chunk)
    return [chunk]
  }

  /** SHA-256 (hex) of what has come so far. */
  digest(): string {
    return this.#hash ? this.#hash.copy().digest('hex') : hash('sha256', this.#only, 'hex')
  }
}

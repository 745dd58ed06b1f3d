import { createHash, hash, type Hash } from 'node:crypto'

const NOTHING = new Uint8Array()

/**
 * Counts and hashes a body as it arrives. Most answers that aren't streamed arrive in one chunk. One call at
 * the end hashes it, which takes a third of the time of a hash object.
 */
export class ReceivedBytes {
  #bytes = 0
  #only: Uint8Array = NOTHING
  #hash: Hash | undefined

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps a reference to the first chunk, so it must not be changed afterwards. */
  note(chunk: Uint8Array): void {
    if (this.#bytes === 0) this.#only = chunk
    else {
      this.#hash ??= createHash('sha256').update(this.#only)
      this.#only = NOTHING
      this.#hash.update(chunk)
    }
    this.#bytes += chunk.byteLength
  }

  /** Notes the chunk and returns it. */
  noted(chunk: Uint8Array): readonly [Uint8Array] {
    this.note(chunk)
    return [chunk]
  }

  /** SHA-256 (hex) of the bytes received so far. */
  digest(): string {
    return this.#hash ? this.#hash.copy().digest('hex') : hash('sha256', this.#only, 'hex')
  }
}

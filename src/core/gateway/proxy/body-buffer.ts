/** A buffer of up to this size is allocated at once: a socket needs as much anyway. */
const SMALL_BYTES = 64 * 1024
const STEP_BYTES = 512 * 1024

/**
 * The bytes of one body, contiguous and growing in place. Memory is committed as pieces arrive, and returned
 * to the system at once on disposal. Collecting a large body in pieces would leave holes in the heap that
 * outlast it.
 */
export class BodyBuffer implements Disposable {
  readonly #maxBytes: number
  readonly #buffer: ArrayBuffer
  #length = 0

  /** @param maxBytes the most that will be appended: Content-Length, or the limit of a body of unknown length */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#buffer =
      maxBytes <= SMALL_BYTES ? new ArrayBuffer(maxBytes) : new ArrayBuffer(0, { maxByteLength: maxBytes })
  }

  /** Copies a piece to the end. @throws {RangeError} beyond `maxBytes` */
  append(piece: Uint8Array): void {
    const end = this.#length + piece.byteLength
    if (end > this.#buffer.byteLength)
      this.#buffer.resize(Math.min(this.#maxBytes, Math.ceil(end / STEP_BYTES) * STEP_BYTES))
    new Uint8Array(this.#buffer).set(piece, this.#length)
    this.#length = end
  }

  /** @returns the appended bytes; the array is empty after disposal */
  bytes(): Uint8Array {
    return new Uint8Array(this.#buffer, 0, this.#length)
  }

  [Symbol.dispose](): void {
    this.#length = 0
    if (this.#buffer.resizable) this.#buffer.resize(0)
  }
}

import { EhbpError, FRAME_HEADER_BYTES, MAX_FRAME_BYTES } from './protocol.ts'

const FIRST_CAPACITY = 16 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Splits a byte stream into the ciphertexts of its frames. The server chooses LEN, and the network chooses
 * the chunks. So memory grows with the received bytes and not with LEN, and each byte is copied a bounded
 * number of times.
 */
export class FrameReader {
  readonly #header = Buffer.alloc(FRAME_HEADER_BYTES)
  #headerBytes = 0
  #length = 0
  /** The bytes received so far of a frame that spans several chunks. */
  #partial = NOTHING
  #partialBytes = 0

  /** Whether the stream may end here, between two frames. */
  get atBoundary(): boolean {
    return this.#headerBytes === 0
  }

  /**
   * Yields each ciphertext that `bytes` completes, valid until the next iteration. Skips empty frames. Keeps
   * no reference to `bytes`. Throws ehbp/frame-too-large.
   */
  *push(bytes: Uint8Array): Generator<Uint8Array, void> {
    let at = 0
    while (at < bytes.byteLength) {
      if (this.#headerBytes < FRAME_HEADER_BYTES) {
        at = this.#readHeader(bytes, at)
        continue
      }
      const missing = this.#length - this.#partialBytes
      const end = Math.min(bytes.byteLength, at + missing)
      const piece = bytes.subarray(at, end)
      at = end
      if (piece.byteLength < missing) this.#keep(piece)
      else yield this.#complete(piece)
    }
  }

  #readHeader(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.byteLength, at + FRAME_HEADER_BYTES - this.#headerBytes)
    this.#header.set(bytes.subarray(at, end), this.#headerBytes)
    this.#headerBytes += end - at
    if (this.#headerBytes === FRAME_HEADER_BYTES) {
      this.#length = this.#header.readUInt32BE()
      if (this.#length > MAX_FRAME_BYTES)
        throw new EhbpError('ehbp/frame-too-large', 'A frame of the response is longer than 64 MiB.')
      if (this.#length === 0) this.#headerBytes = 0
    }
    return end
  }

  #complete(lastPiece: Uint8Array): Uint8Array {
    let ciphertext = lastPiece
    if (this.#partialBytes > 0) {
      this.#keep(lastPiece)
      ciphertext = this.#partial.subarray(0, this.#length)
    }
    this.#headerBytes = 0
    this.#partialBytes = 0
    this.#partial = NOTHING
    return ciphertext
  }

  /** Doubles the buffer, so that many small chunks cost only one or two copies of each byte. */
  #keep(piece: Uint8Array): void {
    const needed = this.#partialBytes + piece.byteLength
    if (needed > this.#partial.byteLength) {
      const grown = Buffer.allocUnsafeSlow(
        Math.min(this.#length, Math.max(needed, 2 * this.#partial.byteLength, FIRST_CAPACITY)),
      )
      grown.set(this.#partial.subarray(0, this.#partialBytes))
      this.#partial = grown
    }
    this.#partial.set(piece, this.#partialBytes)
    this.#partialBytes = needed
  }
}

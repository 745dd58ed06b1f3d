const FIRST_BYTES = 4 * 1024

/**
 * Bytes that are read while they come, by as many readers as there are, each from where it is. Whoever sends them chooses the pieces, and
 * one of a byte takes 120 when it is held by itself: so they are copied into one piece of memory, which is doubled when it is full.
 */
export class GrowingBytes {
  #memory = new Uint8Array(FIRST_BYTES)
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(piece: Uint8Array): void {
    const bytes = this.#bytes + piece.byteLength
    if (bytes > this.#memory.byteLength) {
      const larger = new Uint8Array(Math.max(bytes, 2 * this.#memory.byteLength))
      larger.set(this.from(0))
      this.#memory = larger
    }
    this.#memory.set(piece, this.#bytes)
    this.#bytes = bytes
  }

  /** All that has come behind this byte. It is everybody's: nobody may change it or give it back. */
  from(byte: number): Uint8Array {
    return this.#memory.subarray(byte, this.#bytes)
  }
}

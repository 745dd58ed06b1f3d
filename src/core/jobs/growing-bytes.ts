const FIRST_BYTES = 4 * 1024

/**
 * Bytes that any number of readers can read while they arrive, each from its own position. An attacker
 * chooses the size of the pieces, and a piece of one byte takes 120 bytes if stored separately. Pieces are
 * therefore copied into one buffer, which doubles when it's full.
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

  /** All bytes from this position on. Readers share the memory: they must not change or transfer it. */
  from(byte: number): Uint8Array {
    return this.#memory.subarray(byte, this.#bytes)
  }
}

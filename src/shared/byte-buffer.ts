/** What is held as it came; what is shorter is copied. */
const LONG_BYTES = 1024
const FIRST_BLOCK_BYTES = 2 * 1024
const BLOCK_BYTES = 16 * 1024
const NOTHING = new Uint8Array()

/**
 * A body in the pieces in which it comes. Whoever sends it chooses them, and a piece of one byte takes 120 when it is held by itself:
 * 64 MiB of such would take 8 GB. Short ones are copied together, so that what is held grows with what has come.
 */
export class ByteBuffer {
  #bytes = 0
  #held: Uint8Array[] = []
  /** Filled up to `#end` with short pieces, of which those from `#begin` on are not among the held yet. */
  #block = NOTHING
  #begin = 0
  #end = 0

  get bytes(): number {
    return this.#bytes
  }

  /** How many pieces are held: one for each kilobyte or two, whatever came. */
  get pieces(): number {
    return this.#held.length + (this.#end > this.#begin ? 1 : 0)
  }

  /** Keeps a reference to a long piece: nobody may change it afterwards. */
  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength
    if (piece.byteLength >= LONG_BYTES) {
      this.#hold()
      this.#held.push(piece)
      return
    }
    if (this.#end + piece.byteLength > this.#block.byteLength) {
      this.#hold()
      this.#block = new Uint8Array(this.#block === NOTHING ? FIRST_BLOCK_BYTES : BLOCK_BYTES)
      this.#begin = 0
      this.#end = 0
    }
    this.#block.set(piece, this.#end)
    this.#end += piece.byteLength
  }

  /** All of it in one; the only piece itself where there is no other. Nothing is held any more: what is given out is nobody else's memory. */
  take(): Uint8Array {
    this.#hold()
    const [only, ...more] = this.#held
    const whole = only && more.length === 0 ? only : joined(this.#held, this.#bytes)
    this.#bytes = 0
    this.#held = []
    this.#block = NOTHING
    this.#begin = 0
    this.#end = 0
    return whole
  }

  #hold(): void {
    if (this.#end > this.#begin) this.#held.push(this.#block.subarray(this.#begin, this.#end))
    this.#begin = this.#end
  }
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

/** Yields the bytes as one chunk. */
export async function* toAsyncIterable(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(bytes)
}

/** Pieces of at least this length are stored without copying; shorter ones are copied. */
const LONG_BYTES = 1024
const FIRST_BLOCK_BYTES = 2 * 1024
const BLOCK_BYTES = 16 * 1024
const NOTHING = new Uint8Array()

/**
 * Buffers a body in the pieces in which it arrives. An attacker chooses their size, and a piece of one byte
 * takes 120 bytes if stored separately: 64 MiB of such pieces would take 8 GB. Short pieces are therefore
 * copied together, so that the memory is proportional to the body.
 */
export class ByteBuffer {
  #bytes = 0
  #held: Uint8Array[] = []
  /** Filled with short pieces up to `#end`. Those from `#begin` on aren't in the list of pieces yet. */
  #block = NOTHING
  #begin = 0
  #end = 0

  get bytes(): number {
    return this.#bytes
  }

  /** The number of pieces: one for each kilobyte or two, whatever the size of those that arrived. */
  get pieces(): number {
    return this.#held.length + (this.#end > this.#begin ? 1 : 0)
  }

  /** Stores a reference to a long piece, which must not be changed afterwards. */
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

  /**
   * Returns all bytes as one array and clears the buffer. A single piece is returned without copying. No
   * other code refers to the result.
   */
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

/**
 * Releases the memory of bytes that are no longer used; their length is then 0. Memory outside of the heap
 * is collected only after tens of megabytes, so that a stream of many pieces would stay in memory until
 * then. Bytes within a larger buffer aren't released, because other code may use the rest.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** For a reader that copies each piece: releases a piece when the reader requests the next. */
export async function* giveBackEach(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    yield piece
    giveBack(piece)
  }
}

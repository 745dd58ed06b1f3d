/**
 * Gives back at once what bytes take that nobody reads any more; they have no length then. Memory outside of the heap is collected
 * only after tens of megabytes of it, so that whatever passes through in many pieces would all be held until then. Bytes that stand
 * in a larger piece of memory are left alone: the rest of it is somebody else's.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** For a reader that copies what it is handed: each piece is given back when it asks for the next. */
export async function* giveBackEach(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    yield piece
    giveBack(piece)
  }
}

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

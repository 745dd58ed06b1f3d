/** Yields the first `length` bytes, or all if there are fewer. Requests no further piece after that. */
export async function* firstBytes(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  if (length <= 0) return
  let left = length
  for await (const piece of content) {
    const part = piece.byteLength > left ? piece.subarray(0, left) : piece
    left -= part.byteLength
    yield part
    if (left === 0) return
  }
}

/** So many bytes of it, or as many as there are; no piece is asked for once they have come. */
export async function* firstBytes(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  if (length <= 0) return
  let left = length
  for await (const piece of content) {
    const taken = piece.byteLength > left ? piece.subarray(0, left) : piece
    left -= taken.byteLength
    yield taken
    if (left === 0) return
  }
}

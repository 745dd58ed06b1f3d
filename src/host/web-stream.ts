import type { Readable } from 'node:stream'

/** Bytes as a stream of the web's, read no faster than they are taken; whoever stops taking them stops the reading. */
export function webStreamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await pieces.return?.()
    },
  }, { highWaterMark: 0 })
}

/** The bytes of a stream of Node's. @param destroy it where they are not read to the end */
export async function* bytesOf(stream: Readable, { destroy }: { readonly destroy: boolean }): AsyncGenerator<Uint8Array, void> {
  const pieces: AsyncIterable<unknown> = stream.iterator({ destroyOnReturn: destroy })
  for await (const piece of pieces) if (piece instanceof Uint8Array) yield piece
}

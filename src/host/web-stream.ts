import type { Readable } from 'node:stream'

/**
 * Bytes as a stream of the web's, read no faster than they are taken; whoever stops taking them stops the reading.
 * @param end ends a read that is under way, which is waited for otherwise: a generator returns no sooner
 */
export function webStreamOf(
  content: AsyncIterable<Uint8Array>,
  end: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        end()
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The bytes of a stream of Node's, which stays as it is where they are not read to the end. */
export async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  const pieces: AsyncIterable<unknown> = stream.iterator({ destroyOnReturn: false })
  for await (const piece of pieces) if (piece instanceof Uint8Array) yield piece
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BodyBudget, CountedBody } from '../shared/body-budget.ts'
import { SottoError } from '../shared/errors.ts'
import { isUploadPath } from '../shared/file-paths.ts'
import { ByteBuffer, giveBackEach } from '../shared/byte-buffer.ts'
import type { RequestHead } from '../shared/request-head.ts'

/**
 * Converts an iterable of bytes to a web stream, which is read no faster than its consumer reads, and
 * canceled with it.
 * @param end ends a read in progress, which a generator's return would otherwise wait for
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

/** The bytes of a Node stream, which isn't destroyed if they aren't read to the end. */
export async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  const pieces: AsyncIterable<unknown> = stream.iterator({ destroyOnReturn: false })
  for await (const piece of pieces) if (piece instanceof Uint8Array) yield piece
}

/** The longest recording that the contract takes, with what goes along: 25 MB. */
const MAX_BODY_BYTES = 26 * 1024 * 1024

export interface ServeOptions {
  /** Counts the bodies of all servers of this process. */
  readonly bodies: BodyBudget
  /** Aborts the request as if the caller had disconnected, because its window was signed out. */
  readonly ended?: AbortSignal
}

/**
 * Passes a request of node:http to a web-standard function and streams the answer. When the caller
 * disconnects, the request's signal aborts at once, and the answer's stream is canceled at its next piece.
 * A body of more than 26 MiB is answered 413, and one that exceeds the limit for all bodies 503, except for
 * an upload, which is streamed.
 *
 * @param head - the parsed head; the text of the request's target is not read again
 * @throws the errors of `serve` before the answer began
 */
export async function serveWebRequest(
  serve: (request: Request) => Promise<Response>,
  head: RequestHead,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { bodies, ended }: ServeOptions,
): Promise<void> {
  const gone = new AbortController()
  const onEnded = (): void => void outgoing.destroy()
  ended?.addEventListener('abort', onEnded, { once: true })
  outgoing.once('close', () => {
    ended?.removeEventListener('abort', onEnded)
    if (!outgoing.writableFinished) gone.abort()
  })
  // A file that is uploaded is never whole in memory. One that is refused midway is answered; Node discards the rest of it.
  const body = isUploadPath(head.pathname)
    ? webStreamOf(giveBackEach(bytesOf(incoming)))
    : await readBody(incoming, bodies)
  if (body instanceof SottoError) {
    const {
      status,
      details: { retryAfterSeconds },
    } = body
    outgoing
      .writeHead(status, retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) })
      .end()
    return
  }
  const request = new Request(`http://sotto.invalid${head.href}`, {
    method: head.method,
    headers: headersOf(incoming),
    signal: gone.signal,
    ...(body instanceof ReadableStream
      ? { body, duplex: 'half' }
      : body.bytes.byteLength > 0 && { body: body.bytes }),
  })
  const response = await serve(request).finally(() => {
    if (!(body instanceof ReadableStream)) body.counted[Symbol.dispose]()
  })
  if (outgoing.destroyed) {
    await response.body?.cancel()
    return
  }
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  if (!response.body) {
    outgoing.end()
    return
  }
  outgoing.flushHeaders()
  try {
    await pipeline(response.body, outgoing)
  } catch {
    // The caller disconnected, and pipeline has canceled the stream.
  }
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** @returns the body, to be disposed of in the budget once it was served; or why it is refused: proxy/body-too-large, proxy/busy */
async function readBody(
  incoming: IncomingMessage,
  bodies: BodyBudget,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly counted: CountedBody } | SottoError> {
  let counted: CountedBody | undefined
  try {
    const announced = incoming.headers['content-length']
    counted = bodies.begin(announced === undefined ? undefined : Number(announced), MAX_BODY_BYTES)
    const gathered = new ByteBuffer()
    for await (const chunk of incoming) {
      if (!(chunk instanceof Uint8Array)) continue
      counted.add(chunk.byteLength)
      gathered.add(chunk)
    }
    return { bytes: new Uint8Array(gathered.take()), counted }
  } catch (thrown) {
    counted?.[Symbol.dispose]()
    if (thrown instanceof SottoError) return thrown
    throw thrown
  }
}

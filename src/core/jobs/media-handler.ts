import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { LinkedFile, Links } from './links.ts'
import type { Uploads } from './uploads.ts'

const PATH = /^\/(media|upload)\/([\w-]{43})$/

/** Handles requests outside the contract. */
export interface MediaHandler {
  /** Returns null if the path belongs to neither handler. */
  handle(request: Request): Promise<Response | null>
}

/**
 * Handles the two paths outside the contract: downloads with ranges, and uploads. The token in each path
 * authorizes the request.
 */
export function createMediaHandler({
  links,
  uploads,
  refused,
}: {
  readonly links: Links
  readonly uploads: Uploads
  readonly refused: (failure: SottoError) => unknown
}): MediaHandler {
  return {
    async handle(request) {
      const [, area, token = ''] = PATH.exec(new URL(request.url).pathname) ?? []
      if (area === 'media' && (request.method === 'GET' || request.method === 'HEAD')) {
        const file = links.get(token)
        return file ? answerWith(file, request) : new Response('Not found', { status: 404 })
      }
      if (area !== 'upload' || request.method !== 'PUT') return null
      try {
        return Response.json(await uploads.receive(token, request.body ?? nothing()))
      } catch (thrown) {
        const failure = request.signal.aborted ? new SottoError('request/canceled') : asSottoError(thrown)
        return Response.json(refused(failure), { status: 422 })
      }
    },
  }
}

/** Answers one byte range, or the whole file if the request has no valid range (RFC 9110, section 14). */
function answerWith(file: LinkedFile, request: Request): Response {
  const { bytes } = file
  const headers = headersOf(file)
  if (bytes === undefined) return streamed(file, 0, Infinity, 200, headers, request)
  headers.set('accept-ranges', 'bytes')
  const range = rangeOf(request.headers.get('range'), bytes)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes}` } })
  const { first, last } = range ?? { first: 0, last: bytes - 1 }
  headers.set('content-length', String(last - first + 1))
  if (range) headers.set('content-range', `bytes ${first}-${last}/${bytes}`)
  return streamed(file, first, last - first + 1, range ? 206 : 200, headers, request)
}

function headersOf({ name, type, download }: LinkedFile): Headers {
  const shown = !download && /^(?:image|video|audio)\//.test(type)
  return new Headers({
    'content-type': type,
    'content-disposition': `${shown ? 'inline' : 'attachment'}; filename="${name.replaceAll(/[^\w.,() -]/g, '_')}"`,
    // An attacker may control the file: it must not run scripts, and gets no origin if it's opened as a
    // page.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

function rangeOf(
  header: string | null,
  bytes: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  return first > last ? 'unsatisfiable' : { first, last }
}

function streamed(
  file: LinkedFile,
  from: number,
  length: number,
  status: number,
  headers: Headers,
  { method }: Request,
): Response {
  const content = file.stream(from)
  if (!content) return new Response('Not found', { status: 404 })
  return new Response(method === 'HEAD' ? null : streamOf(content, length), { status, headers })
}

/** Reads only as fast as the client does, and ends when the client stops reading. */
function streamOf(content: AsyncIterable<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const reading: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]()
  let left = length
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = left > 0 ? await reading.next() : null
        if (!next || next.done === true) {
          await reading.return?.()
          return controller.close()
        }
        const piece = next.value.byteLength > left ? next.value.subarray(0, left) : next.value
        left -= piece.byteLength
        controller.enqueue(piece)
      },
      async cancel() {
        await reading.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // The response has no body.
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { CountedBody } from '../../../shared/body-budget.ts'
import { SottoError } from '../../../shared/errors.ts'

/** Limits the coded bytes too: an endless stream of empty blocks decodes to nothing. */
const MAX_CODED_BYTES = 64 * 1024 * 1024
const MAX_RATIO = 100
/** Up to this size, a short repetitive text may exceed the ratio. */
const FREE_BYTES = 64 * 1024

/** RFC 9659 section 3: a larger window isn't valid in HTTP, and each request could use 128 MiB for it. */
const ZSTD_WINDOW_LOG = 23

type Decoder =
  | ReturnType<typeof createGunzip>
  | ReturnType<typeof createInflate>
  | ReturnType<typeof createBrotliDecompress>
  | ReturnType<typeof createZstdDecompress>

const decoders: Readonly<Record<string, (() => Decoder) | undefined>> = {
  gzip: () => createGunzip({ chunkSize: FREE_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: FREE_BYTES }),
  deflate: () => createInflate({ chunkSize: FREE_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: FREE_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: FREE_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}

/** The content codings that a body may have, as a refusal names them in Accept-Encoding (RFC 9110 section 15.5.16). */
export const ACCEPTED_CODINGS = Object.keys(decoders)
  .filter((coding) => coding !== 'x-gzip')
  .join(', ')

/**
 * Reads the coding of a body: one, or none.
 *
 * @returns undefined for a body that isn't coded
 * @throws {SottoError} proxy/content-encoding – it is unknown, or there are several
 * @see RFC 9110 section 8.4
 */
export function contentCoding({ 'content-encoding': named }: IncomingHttpHeaders): string | undefined {
  const coding = named?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return undefined
  if (Object.hasOwn(decoders, coding)) return coding
  throw new SottoError('proxy/content-encoding', {
    toolDetail: `The Content-Encoding is "${quotable(named ?? '')}".`,
  })
}

/** Returns the caller's text without unsafe characters, for an error's text. */
export function quotable(text: string): string {
  return text.slice(0, 60).replaceAll(/[^\w.,*+ -]/g, '?')
}

/**
 * Decodes a request's body while it arrives, and yields it in pieces. Each piece is counted before it is yielded. The caller controls the
 * coded bytes, so both sizes and their ratio are limited. Stopping early leaves the rest unread and the connection open.
 *
 * @param counted disposed of by the caller, once nothing refers to the pieces any more
 * @throws {SottoError} proxy/body-too-large – more than 64 MiB, or more than 100 times its coded size; proxy/busy
 * @throws {SottoError} proxy/content-encoding – the body isn't in this coding, or is cut off
 * @throws {SottoError} request/canceled – the caller disconnected
 */
export async function* decodePieces(
  request: IncomingMessage,
  coding: string,
  counted: CountedBody,
): AsyncGenerator<Uint8Array, void> {
  const decoder = decoders[coding]?.()
  if (!decoder)
    throw new SottoError('proxy/content-encoding', {
      toolDetail: `The Content-Encoding is "${quotable(coding)}".`,
    })
  const source = feed(request, decoder)
  let decoded = 0
  try {
    for await (const piece of decoder) {
      if (!(piece instanceof Uint8Array)) continue
      decoded += piece.byteLength
      if (decoded > Math.max(FREE_BYTES, source.bytes() * MAX_RATIO))
        throw new SottoError('proxy/body-too-large', {
          toolDetail: `Decoded, it is more than ${String(MAX_RATIO)} times as large as it was sent.`,
        })
      counted.add(piece.byteLength)
      yield piece
    }
    // Decoders ignore data after the end of their format.
    if (!source.ended() || decoder.bytesWritten !== source.bytes()) throw new Error('data after the end')
  } catch (thrown) {
    throw thrown instanceof SottoError
      ? thrown
      : new SottoError('proxy/content-encoding', {
          toolDetail: `The body is not valid in "${coding}", or it is cut off.`,
          cause: thrown,
        })
  } finally {
    source.stop()
    decoder.destroy()
  }
}

/** Writes the body to its decoder, with backpressure. */
function feed(
  request: IncomingMessage,
  decoder: Decoder,
): { readonly bytes: () => number; readonly ended: () => boolean; readonly stop: () => void } {
  let bytes = 0
  let ended = false
  const onData = (piece: Buffer): void => {
    bytes += piece.byteLength
    if (bytes > MAX_CODED_BYTES) decoder.destroy(new SottoError('proxy/body-too-large'))
    else if (!decoder.write(piece)) request.pause()
  }
  const onDrain = (): unknown => request.resume()
  const onEnd = (): void => {
    ended = true
    decoder.end()
  }
  const onError = (cause: Error): unknown => decoder.destroy(new SottoError('request/canceled', { cause }))
  request.on('data', onData).once('end', onEnd).once('error', onError)
  decoder.on('drain', onDrain)
  return {
    bytes: () => bytes,
    ended: () => ended,
    stop: () => {
      request.off('data', onData).off('end', onEnd).off('error', onError)
      decoder.off('drain', onDrain)
    },
  }
}

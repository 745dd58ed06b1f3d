import type { IncomingMessage } from 'node:http'
import type { BodyBudget, CountedBody } from '../../../shared/body-budget.ts'
import { SottoError } from '../../../shared/errors.ts'
import { giveBack } from '../../../shared/byte-buffer.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { BodyBuffer } from './body-buffer.ts'
import { contentCoding, decodePieces } from './content-coding.ts'
import { parseBody } from './parse-body.ts'
import { looksPrivate } from '../relay/index.ts'
import { headOf } from './request-heads.ts'

export const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Reads a request's JSON body and passes it to `use`. The body counts in the budget until `use` settles, so
 * `use` must resolve once the request was sent or refused. If its result refers to the body, `use` moves the count.
 * @param whenEmpty replaces a body without any bytes; if it's absent, such a body is malformed
 * @throws {SottoError} proxy/body-too-large, proxy/busy, proxy/content-encoding – the rest of the body is
 * unread
 * @throws {SottoError} proxy/malformed-json, proxy/duplicate-member – it isn't one JSON object
 * @throws {SottoError} request/canceled – the caller disconnected
 */
export async function withJsonBody<T>(
  request: IncomingMessage,
  budget: BodyBudget,
  use: (body: JsonObject, counted: CountedBody) => T | Promise<T>,
  whenEmpty?: JsonObject,
): Promise<T> {
  using counted = budget.begin(announcedBytes(request), MAX_BODY_BYTES)
  return await use(await readJson(request, counted, whenEmpty), counted)
}

async function readJson(
  request: IncomingMessage,
  counted: CountedBody,
  whenEmpty: JsonObject | undefined,
): Promise<JsonObject> {
  const coding = contentCoding(request.headers)
  using buffer = new BodyBuffer(
    coding === undefined ? (announcedBytes(request) ?? MAX_BODY_BYTES) : MAX_BODY_BYTES,
  )
  if (coding === undefined) await readBody(request, counted, buffer)
  else for await (const piece of decodePieces(request, coding, counted)) buffer.append(piece)
  const bytes = buffer.bytes()
  return bytes.byteLength === 0 && whenEmpty ? whenEmpty : parseBody(bytes)
}

/**
 * Yields a request's body, decoded, in the pieces in which it arrives. Each counts in the budget before it's
 * yielded. Stopping early leaves the rest unread and the connection open.
 * @param counted disposed of by the caller, once nothing refers to the pieces
 * @throws {SottoError} proxy/body-too-large, proxy/busy, proxy/content-encoding
 * @throws {SottoError} request/canceled – the caller disconnected
 */
export async function* readPieces(
  request: IncomingMessage,
  counted: CountedBody,
): AsyncGenerator<Uint8Array, void> {
  const coding = contentCoding(request.headers)
  if (coding !== undefined) return yield* decodePieces(request, coding, counted)
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      if (!(piece instanceof Uint8Array)) continue
      counted.add(piece.byteLength)
      yield piece
    }
  } catch (thrown) {
    throw thrown instanceof SottoError ? thrown : new SottoError('request/canceled', { cause: thrown })
  }
}

/** @returns the value of Content-Length, which Node has checked; undefined for a chunked body */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : undefined
}

/**
 * Reads a whole body into a buffer. Each piece counts before it's stored.
 * @throws {SottoError} proxy/body-too-large, proxy/busy, request/canceled
 */
export function readBody(request: IncomingMessage, counted: CountedBody, buffer: BodyBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // The request exists until its answer ends. A remaining listener would keep the buffer in memory.
    const end = (): unknown => request.off('data', onData).off('end', onEnd).off('error', onError)
    const onData = (piece: Buffer): void => {
      try {
        counted.add(piece.byteLength)
        buffer.append(piece)
        giveBack(piece)
      } catch (thrown) {
        end()
        reject(thrown instanceof Error ? thrown : new SottoError('proxy/internal', { cause: thrown }))
      }
    }
    const onEnd = (): void => {
      end()
      resolve()
    }
    const onError = (cause: Error): void => {
      end()
      reject(new SottoError('request/canceled', { cause }))
    }
    request.on('data', onData).once('end', onEnd).once('error', onError)
  })
}

/**
 * Refuses a model in the URL or in a header. There it would be visible to everything that the request passes,
 * and could differ from the model that Sotto checked in the body.
 * @throws {SottoError} privacy/path
 */
export function refuseModelOutsideBody(request: IncomingMessage): void {
  for (const [name, value] of headOf(request).query)
    if (/model/i.test(name) || looksPrivate(value)) refuse('Name the model in the body, not in the URL.')
  const { rawHeaders } = request
  // `rawHeaders` alternates names and values, in the order of arrival.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (/model/i.test(rawHeaders[at] ?? '') && looksPrivate(rawHeaders[at + 1] ?? ''))
      refuse('Name the model in the body, not in a header.')
  }
}

function refuse(toolDetail: string): never {
  throw new SottoError('privacy/path', { toolDetail, param: 'model' })
}

import type { IncomingMessage } from 'node:http'
import type { BodyBudget, CountedBody } from '../../shared/body-budget.ts'
import { SottoError } from '../../shared/errors.ts'
import { GatheredBytes } from '../../shared/gathered-bytes.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { parseBody } from './parse-body.ts'

export const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Reads a request's JSON body and passes it to `use`. The body counts in the budget until `use` settles, so `use` must resolve
 * once the request was sent or refused, and its result must not refer to the body.
 *
 * @param whenEmpty stands for a body without any bytes; if it is absent, such a body is malformed
 * @throws {SottoError} proxy/body-too-large, proxy/busy – the rest of the body is unread
 * @throws {SottoError} proxy/malformed-json, proxy/duplicate-member – it is not one JSON object
 * @throws {SottoError} request/cancelled – the caller went away
 */
export async function withJsonBody<T>(request: IncomingMessage, budget: BodyBudget, use: (body: JsonObject) => T | Promise<T>, whenEmpty?: JsonObject): Promise<T> {
  using counted = budget.begin(announcedBytes(request), MAX_BODY_BYTES)
  return await use(await readJson(request, counted, whenEmpty))
}

/** A function of its own, so that nothing refers to the bytes while the request is being answered. */
async function readJson(request: IncomingMessage, counted: CountedBody, whenEmpty: JsonObject | undefined): Promise<JsonObject> {
  const bytes = await readBody(request, counted)
  return bytes.byteLength === 0 && whenEmpty ? whenEmpty : parseBody(bytes)
}

/**
 * Yields a request's body in the pieces in which it arrives, each counted in the budget before it is yielded. Stopping early
 * leaves the rest unread and the connection open.
 *
 * @param counted disposed of by the caller, once nothing refers to the pieces any more
 * @throws {SottoError} proxy/body-too-large, proxy/busy
 * @throws {SottoError} request/cancelled – the caller went away
 */
export async function* readPieces(request: IncomingMessage, counted: CountedBody): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      if (!(piece instanceof Uint8Array)) continue
      counted.add(piece.byteLength)
      yield piece
    }
  } catch (thrown) {
    throw thrown instanceof SottoError ? thrown : new SottoError('request/cancelled', { cause: thrown })
  }
}

/** @returns the value of Content-Length, which Node has checked; undefined for a chunked body */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : undefined
}

/**
 * Reads a whole body. Short pieces are copied together: a body that arrives byte by byte would otherwise take 100 times its size.
 *
 * @throws {SottoError} proxy/body-too-large, proxy/busy, request/cancelled
 */
export function readBody(request: IncomingMessage, counted: CountedBody): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let gathered = new GatheredBytes()
    // The request outlives this by the length of its answer: a listener that stayed would keep the body alive through its promise.
    const end = (): GatheredBytes => {
      request.off('data', onData).off('end', onEnd).off('error', onError)
      const read = gathered
      gathered = new GatheredBytes()
      return read
    }
    const onData = (piece: Buffer): void => {
      try {
        counted.add(piece.byteLength)
        gathered.add(piece)
      } catch (thrown) {
        end()
        reject(thrown instanceof Error ? thrown : new SottoError('proxy/internal', { cause: thrown }))
      }
    }
    const onEnd = (): void => resolve(end().take())
    const onError = (cause: Error): void => {
      end()
      reject(new SottoError('request/cancelled', { cause }))
    }
    request.on('data', onData).once('end', onEnd).once('error', onError)
  })
}

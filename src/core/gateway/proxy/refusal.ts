import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { asSottoError, type SottoError } from '../../../shared/errors.ts'
import { ownTime, PLAIN_HEADERS } from './answer-headers.ts'
import { callerShape, errorBody, errorHeaders, type ErrorShape } from './errors.ts'
import type { NoteRefusal } from './refusal-log.ts'
import type { RefusedBodies } from './refused-bodies.ts'

/**
 * Answers a request that failed before its answer began.
 * @param shape if it's absent, by the caller's headers
 * @param receivedAt by performance.now()
 */
export type Refuse = (
  thrown: unknown,
  response: ServerResponse,
  receivedAt: number,
  shape?: ErrorShape,
) => void

/** Refusals while a part of the body is still arriving. The connection ends with the answer. */
const UNREAD: ReadonlySet<ErrorCode> = new Set([
  'proxy/body-too-large',
  'proxy/busy',
  'proxy/content-encoding',
])

/**
 * @returns whether the request was refused before its body was read completely, because of its size or its
 * coding
 */
export function leavesBodyUnread({ code }: SottoError): boolean {
  return UNREAD.has(code)
}

/** Creates the function that refuses without fastify. */
export function refusing(
  mark: Readonly<Record<string, string>>,
  note: NoteRefusal,
  bodies: RefusedBodies,
): Refuse {
  return (thrown, response, receivedAt, shape) => {
    const failure = asSottoError(thrown)
    note(failure, response.req)
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const body = JSON.stringify(errorBody(failure, shape ?? callerShape(response.req)))
    response.writeHead(failure.status, {
      ...PLAIN_HEADERS,
      ...mark,
      'server-timing': ownTime(receivedAt),
      ...errorHeaders(failure),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      ...(leavesBodyUnread(failure) && { connection: 'close' }),
    })
    if (!leavesBodyUnread(failure)) {
      response.end(body)
      return
    }
    response.write(body)
    bodies.end(response.req, response)
  }
}

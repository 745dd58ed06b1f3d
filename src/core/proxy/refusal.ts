import type { ServerResponse } from 'node:http'
import { asSottoError, type SottoError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log-events.ts'
import { ownTime, PLAIN_HEADERS } from './answer-headers.ts'
import { errorBody, errorHeaders, type ErrorShape } from './errors.ts'
import { discardUnread } from './unread-body.ts'

/** Answers a request that failed before its answer began, in OpenAI's shape where no other is said. @param receivedAt of performance.now() */
export type Refuse = (thrown: unknown, response: ServerResponse, receivedAt: number, shape?: ErrorShape) => void

/** What has a receipt is logged with it. */
export function noteRefusal({ code, status, details }: SottoError, log: Log | undefined): void {
  if (details.receiptId === undefined) log?.('proxy/refused', { code, status })
}

/** Past fastify. */
export function refusing(mark: Readonly<Record<string, string>>, log: Log | undefined): Refuse {
  const unread = discardUnread()
  return (thrown, response, receivedAt, shape) => {
    const failure = asSottoError(thrown)
    noteRefusal(failure, log)
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const body = JSON.stringify(errorBody(failure, shape))
    const tooLarge = failure.code === 'proxy/body-too-large'
    response.writeHead(failure.status, {
      ...PLAIN_HEADERS,
      ...mark,
      'server-timing': ownTime(receivedAt),
      ...errorHeaders(failure),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // The rest of it is still on its way, and nobody will read it.
      ...(tooLarge && { connection: 'close' }),
    })
    if (tooLarge) unread.endAfter(response.req, response, body)
    else response.end(body)
  }
}

import type { ServerResponse } from 'node:http'
import { asSottoError, type SottoError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log-events.ts'
import { ownTime, PLAIN_HEADERS } from './answer-headers.ts'
import { errorBody, errorHeaders } from './errors.ts'

/** Answers a request that failed before its answer began. @param receivedAt of performance.now() */
export type Refuse = (thrown: unknown, response: ServerResponse, receivedAt: number) => void

/** What has a receipt is logged with it. */
export function noteRefusal({ code, status, details }: SottoError, log: Log | undefined): void {
  if (details.receiptId === undefined) log?.('proxy/refused', { code, status })
}

/** In OpenAI's shape, past fastify. */
export function refusing(mark: Readonly<Record<string, string>>, log: Log | undefined): Refuse {
  return (thrown, response, receivedAt) => {
    const failure = asSottoError(thrown)
    noteRefusal(failure, log)
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const body = JSON.stringify(errorBody(failure))
    response.writeHead(failure.status, {
      ...PLAIN_HEADERS,
      ...mark,
      'server-timing': ownTime(receivedAt),
      ...errorHeaders(failure),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // The rest of it is still on its way, and nobody will read it.
      ...(failure.code === 'proxy/body-too-large' && { connection: 'close' }),
    })
    response.end(body)
  }
}

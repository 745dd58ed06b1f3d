import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceivedLog } from './received.ts'

/** A request from its first byte to the end of its answer. */
export interface Arrival {
  /** Aborted when the caller goes away before the answer is complete. */
  readonly signal: AbortSignal
  /** Notes bytes of the body. */
  arrived(bytes: number): void
}

/** Notes every request, and when its caller goes away. */
export class Arrivals {
  readonly #log: ReceivedLog
  readonly #now: () => number
  readonly #open = new WeakMap<IncomingMessage, Arrival>()

  constructor(log: ReceivedLog, now: () => number) {
    this.#log = log
    this.#now = now
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request
    const entry = this.#log.add({
      method: request.method ?? '',
      path: (request.url ?? '').replace(/\?.*$/, ''),
      at: this.#now(),
      bodyBytes: 0,
      sealed: headers['ehbp-encapsulated-key'] !== undefined,
      apiKeyPresent: [headers.authorization, headers['x-api-key'], headers['api-key']].some((value) => value !== undefined),
      aborted: false,
    })
    const controller = new AbortController()
    response.once('close', () => {
      if (response.writableFinished) return
      entry.aborted = true
      controller.abort()
    })
    this.#open.set(request, {
      signal: controller.signal,
      arrived: (bytes) => {
        entry.bodyBytes += bytes
      },
    })
  }

  of(request: IncomingMessage): Arrival {
    const arrival = this.#open.get(request)
    if (!arrival) throw new Error('a request that never arrived')
    return arrival
  }
}

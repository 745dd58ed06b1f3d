import { IncomingMessage, type ServerResponse } from 'node:http'
import type { LogEntry, ReceivedLog } from './service-context.ts'

/** A request from its first byte to the end of its answer. */
export class Arrival {
  readonly #entry: LogEntry
  readonly #leaving = new AbortController()
  /** Aborted when the client disconnects before the answer is complete. */
  readonly signal = this.#leaving.signal

  constructor(entry: LogEntry) {
    this.#entry = entry
  }

  /** Notes bytes of the body. */
  arrived(bytes: number): void {
    this.#entry.bodyBytes += bytes
  }

  /** Notes the prompt cache that the enclave's router chose. */
  noteCacheSalt(salt: string): void {
    this.#entry.cacheSalt = salt
  }

  /** Notes that the caller went away. */
  abort(): void {
    this.#entry.aborted = true
    this.#leaving.abort()
  }
}

/**
 * The server's class for requests. It has its arrival as a member: a WeakMap from one to the other would
 * keep every request alive until the next full garbage collection.
 */
export class ArrivingMessage extends IncomingMessage {
  arrival: Arrival | undefined
}

/** Notes every request, and when its caller goes away. */
export class Arrivals {
  readonly #log: ReceivedLog
  readonly #now: () => number

  constructor(log: ReceivedLog, now: () => number) {
    this.#log = log
    this.#now = now
  }

  begin(request: ArrivingMessage, response: ServerResponse): void {
    const { headers } = request
    const arrival = new Arrival(
      this.#log.add({
        method: request.method ?? '',
        path: (request.url ?? '').replace(/\?.*$/, ''),
        at: this.#now(),
        bodyBytes: 0,
        sealed: headers['ehbp-encapsulated-key'] !== undefined,
        apiKeyPresent:
          headers.authorization !== undefined ||
          headers['x-api-key'] !== undefined ||
          headers['api-key'] !== undefined,
        aborted: false,
      }),
    )
    response.once('close', () => {
      if (!response.writableFinished) arrival.abort()
    })
    request.arrival = arrival
  }

  /** @throws Error for a request that `begin` has not seen */
  of(request: IncomingMessage): Arrival {
    if (!(request instanceof ArrivingMessage) || !request.arrival)
      throw new Error('a request that never arrived')
    return request.arrival
  }
}

import type { ServerResponse } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'

/** Most requests end within a second, and it's a short wait for a caller. */
const RETRY_AFTER_SECONDS = 1

/** The refusal of a request whose key has as many requests in progress as it may have. */
export function tooManyParallel(): SottoError {
  return new SottoError('limit/concurrency', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

interface Running {
  readonly keyId: string
  readonly counts: boolean
}

/**
 * Tracks the local key of each request in progress, until its response has closed. All share one listener, so
 * that nothing is created for a request.
 */
export class RequestsUnderWay {
  readonly #running = new Map<ServerResponse, Running>()
  /** The number of requests in progress of each key that count against its limit. */
  readonly #counts = new Map<string, number>()
  readonly #forget: (this: ServerResponse) => void

  constructor() {
    const end = (response: ServerResponse): void => this.#end(response)
    this.#forget = function (this: ServerResponse) {
      end(this)
    }
  }

  /**
   * @param counts whether the request counts against the key's limit of parallel requests
   * @throws {SottoError} limit/concurrency – the key has as many requests in progress as it may have
   */
  add(keyId: string, { parallelRequests }: KeyLimits, response: ServerResponse, counts: boolean): void {
    if (response.destroyed) return
    const running = this.#counts.get(keyId) ?? 0
    if (counts && parallelRequests !== undefined && running >= parallelRequests) throw tooManyParallel()
    this.#running.set(response, { keyId, counts })
    if (counts) this.#counts.set(keyId, running + 1)
    response.once('close', this.#forget)
  }

  /** Ends the connections of this key’s requests. Their handlers then cancel their requests to the service. */
  end(keyId: string): void {
    for (const [response, running] of this.#running) if (running.keyId === keyId) response.destroy()
  }

  #end(response: ServerResponse): void {
    const running = this.#running.get(response)
    if (!running) return
    this.#running.delete(response)
    if (!running.counts) return
    const left = (this.#counts.get(running.keyId) ?? 1) - 1
    if (left > 0) this.#counts.set(running.keyId, left)
    else this.#counts.delete(running.keyId)
  }
}

import type { ServerResponse } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'

/** A second is enough for most of the requests that a caller waits for, and short for one that waits. */
const RETRY_AFTER_SECONDS = 1

interface Running {
  readonly keyId: string
  readonly counts: boolean
}

/** The local key of each running request, until its response has closed. One listener serves them all: nothing is created for a request. */
export class RequestsUnderWay {
  readonly #running = new Map<ServerResponse, Running>()
  /** How many requests of each key run that count against its limit. */
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
   * @throws {SottoError} limit/concurrency – as many requests of the key run as it may have
   */
  add(keyId: string, { parallelRequests }: KeyLimits, response: ServerResponse, counts: boolean): void {
    if (response.destroyed) return
    const running = this.#counts.get(keyId) ?? 0
    if (counts && parallelRequests !== undefined && running >= parallelRequests)
      throw new SottoError('limit/concurrency', { retryAfterSeconds: RETRY_AFTER_SECONDS })
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

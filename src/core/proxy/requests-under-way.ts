import type { ServerResponse } from 'node:http'

/** Which local key each request under way came with, until its response has closed. One listener serves them all: nothing is made for a request. */
export class RequestsUnderWay {
  readonly #keyIds = new Map<ServerResponse, string>()
  readonly #forget: (this: ServerResponse) => void

  constructor() {
    const keyIds = this.#keyIds
    this.#forget = function (this: ServerResponse) {
      keyIds.delete(this)
    }
  }

  add(keyId: string, response: ServerResponse): void {
    if (response.destroyed) return
    this.#keyIds.set(response, keyId)
    response.once('close', this.#forget)
  }

  /** Ends the connections of this key’s requests: what hears of a caller that is gone stops, also towards the service. */
  end(keyId: string): void {
    for (const [response, of] of this.#keyIds) if (of === keyId) response.destroy()
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface RefusedBodyLimits {
  /** For one body. */
  readonly bytes: number
  /** The longest time for one body, in ms. */
  readonly ms: number
  /** The number of bodies of all callers at the same time. */
  readonly atOnce: number
}

export const REFUSED_BODIES: RefusedBodyLimits = { bytes: 256 * 1024 * 1024, ms: 30_000, atOnce: 16 }

/**
 * Reads and discards the rest of refused bodies, within limits, and then closes the connection. Many clients
 * read no answer before they have sent all of their request. If a connection closes while a part is unread,
 * it's reset: they see a broken pipe and no answer (RFC 9112 section 9.6). Beyond the limits it's closed
 * anyway.
 */
export class RefusedBodies {
  readonly #limits: RefusedBodyLimits
  readonly #left = new WeakSet<IncomingMessage['socket']>()
  #open = 0

  constructor(limits: RefusedBodyLimits = REFUSED_BODIES) {
    this.#limits = limits
  }

  /**
   * Whether this request follows a refused body on its connection. It's ignored, because its answer can't be
   * sent.
   */
  isBehind({ socket }: IncomingMessage): boolean {
    return this.#left.has(socket)
  }

  /** Ends a complete response, which is the last of its connection. */
  end(request: IncomingMessage, response: ServerResponse): void {
    const { bytes: most, ms, atOnce } = this.#limits
    this.#left.add(request.socket)
    if (request.complete || request.destroyed || this.#open >= atOnce) {
      response.end()
      return
    }
    this.#open += 1
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength
      if (bytes > most) done()
    }
    const done = (): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', done).off('error', done)
      response.off('close', done)
      this.#open -= 1
      response.end()
    }
    const timer = setTimeout(done, ms)
    response.once('close', done)
    request.once('end', done).once('error', done).on('data', onData).resume()
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface RefusedBodyLimits {
  /** Of one body. */
  readonly bytes: number
  /** For one body, however it comes. */
  readonly ms: number
  /** Bodies of all callers together. */
  readonly atOnce: number
}

export const REFUSED_BODIES: RefusedBodyLimits = { bytes: 256 * 1024 * 1024, ms: 30_000, atOnce: 16 }

/**
 * Many clients read no answer before they have written all of their request, and a connection that is closed while some of that
 * is still unread is reset: they see a broken pipe and no answer (RFC 9112 section 9.6). So what is still on its way is taken in and
 * thrown away, within limits, and the connection is closed after that. Beyond them it is closed all the same.
 */
export class RefusedBodies {
  readonly #limits: RefusedBodyLimits
  readonly #left = new WeakSet<IncomingMessage['socket']>()
  #open = 0

  constructor(limits: RefusedBodyLimits = REFUSED_BODIES) {
    this.#limits = limits
  }

  /** Whether this stands behind a refused body on its connection: it is no request any more, since its answer could not be sent. */
  isBehind({ socket }: IncomingMessage): boolean {
    return this.#left.has(socket)
  }

  /** Ends the response, all of which has been written and which is the connection's last. */
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

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface DiscardLimits {
  /** Of one body, and how long it may take. */
  readonly bytes: number
  readonly ms: number
  /** Connections whose bodies are discarded at the same time; the answers to others end at once. */
  readonly atOnce: number
}

const LIMITS: DiscardLimits = { bytes: 256 * 1024 * 1024, ms: 10_000, atOnce: 4 }

/** What goes on with bodies that nobody reads. One for each proxy. */
export interface UnreadBodies {
  /**
   * Answers before the body has come, and closes the connection after it. Many callers write all of a body before they read anything:
   * where the connection closes at once they see a broken pipe, and never why. So the answer is written whole, what still comes is thrown
   * away within limits, and only then does the answer end. Head and length must be written already.
   */
  readonly endAfter: (request: IncomingMessage, response: ServerResponse, content: string) => void
}

export function discardUnread(limits = LIMITS): UnreadBodies {
  let discarding = 0
  return {
    endAfter(request, response, content) {
      if (request.complete || discarding >= limits.atOnce) {
        response.end(content)
        return
      }
      discarding += 1
      response.write(content)
      let left = limits.bytes
      let ended = false
      const onData = (chunk: Buffer): void => {
        left -= chunk.byteLength
        if (left < 0) end()
      }
      const timer = setTimeout(end, limits.ms)
      request.on('data', onData).once('end', end).once('close', end)
      request.resume()

      function end(): void {
        if (ended) return
        ended = true
        clearTimeout(timer)
        request.off('data', onData)
        discarding -= 1
        response.end()
      }
    },
  }
}

/** The number of unread bytes from which on the sender has to pause. */
const HIGH_WATER_BYTES = 256 * 1024
/** The same, whatever its size: the other side may send it byte by byte, and to hand on one of many costs more, the more there are. */
const HIGH_WATER_CHUNKS = 1024

/** How a body holds its source back, lets it go on, or ends it. */
interface BodySource {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

const CLOSED = new Error('the reader stopped')

/**
 * A response's body as it comes in, for one reader: chunks are handed on without being copied or wrapped. Leaving the
 * iteration early closes the connection.
 */
export class IncomingBody implements AsyncIterable<Uint8Array> {
  readonly #source: BodySource
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  #paused = false
  #end: { readonly failure?: Error } | undefined
  #waiting:
    | { resolve: (next: IteratorResult<Uint8Array, undefined>) => void; reject: (failure: Error) => void }
    | undefined

  constructor(source: BodySource) {
    this.#source = source
  }

  push(chunk: Uint8Array): void {
    if (this.#waiting) {
      this.#waiting.resolve({ done: false, value: chunk })
      this.#waiting = undefined
      return
    }
    this.#chunks.push(chunk)
    this.#bytes += chunk.byteLength
    if ((this.#bytes <= HIGH_WATER_BYTES && this.#chunks.length <= HIGH_WATER_CHUNKS) || this.#paused) return
    this.#paused = true
    this.#source.pause()
  }

  end(failure?: Error): void {
    this.#end ??= failure ? { failure } : {}
    if (!this.#waiting) return
    if (failure) this.#waiting.reject(failure)
    else this.#waiting.resolve({ done: true, value: undefined })
    this.#waiting = undefined
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        if (!this.#end) this.#source.abort(CLOSED)
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }

  #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#chunks.shift()
    if (chunk) {
      this.#bytes -= chunk.byteLength
      if (this.#paused && this.#bytes === 0) {
        this.#paused = false
        this.#source.resume()
      }
      return Promise.resolve({ done: false, value: chunk })
    }
    if (this.#end)
      return this.#end.failure
        ? Promise.reject(this.#end.failure)
        : Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }))
  }
}

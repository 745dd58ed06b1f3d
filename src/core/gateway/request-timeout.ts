import { failureOfAbort, SottoError } from '../../shared/errors.ts'

/** Created once, because an abort without a reason creates an error with a stack each time. */
const ENDED = new Error('the request was ended')

export interface Timeouts {
  /** Longest wait for the first byte of a response's body, in ms. A model may think for minutes before or after its headers. */
  readonly firstByteMs: number
  /** Longest silence after that, in ms. */
  readonly idleMs: number
}

/** Transforms a body while it's watched. */
export interface Through {
  /** Returns the pieces that replace `chunk`, in order. */
  readonly push: (chunk: Uint8Array) => readonly Uint8Array[]
  /** Called at the end of the body. Throws if the body is incomplete. */
  readonly end?: () => void
}

const UNCHANGED: Through = { push: (chunk) => [chunk] }

/**
 * Ends one request when its caller aborts or nothing moves for too long. Its signal goes to the fetch, so
 * that the connection closes at once and nobody pays for tokens that nobody reads.
 */
export class RequestTimeout implements Disposable {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #idleMs: number
  #timer: NodeJS.Timeout
  #expired = false
  /** The reader has a piece and hasn't asked for the next. Then it isn't the service that is silent. */
  #isYielding = false

  constructor(caller: AbortSignal | undefined, { firstByteMs, idleMs }: Timeouts) {
    this.#caller = caller
    this.#idleMs = idleMs
    this.#timer = this.#wait(firstByteMs)
    caller?.addEventListener('abort', this.#abort, { once: true })
    if (caller?.aborted) this.#abort()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Restarts the wait, because bytes were sent or received. */
  restart(): void {
    this.#timer.refresh()
  }

  /**
   * The coded reason of a failure. The caller's abort comes first, even if a coded error arrives after it; then the timeout; then
   * a coded error.
   * @returns request/canceled or the abort's own code, service/timeout, the coded cause, or `otherwise`
   */
  reasonFor(cause: unknown, otherwise: 'service/unreachable' | 'service/interrupted'): SottoError {
    if (this.#caller?.aborted) return failureOfAbort(this.#caller, cause)
    if (this.#expired) return new SottoError('service/timeout', { cause })
    return cause instanceof SottoError ? cause : new SottoError(otherwise, { cause })
  }

  /**
   * Yields the body, and closes the connection unless the body reached its end. The time in which the reader doesn't
   * ask for the next piece isn't silence. `through` runs here, because
   * each further generator that a chunk passes takes longer than the transformation.
   * @throws {SottoError} see `reasonFor`; service/interrupted by default
   */
  async *watch(
    body: AsyncIterable<Uint8Array> | null,
    { push, end }: Through = UNCHANGED,
  ): AsyncGenerator<Uint8Array, void> {
    let begun = false
    let ended = false
    try {
      for await (const chunk of body ?? []) {
        if (begun) this.restart()
        else this.#begin()
        begun = true
        const pieces = push(chunk)
        this.#isYielding = true
        for (const piece of pieces) yield piece
        this.#isYielding = false
        this.restart()
      }
      end?.()
      ended = true
    } catch (cause) {
      throw this.reasonFor(cause, 'service/interrupted')
    } finally {
      // A complete response leaves its connection open for the next request.
      if (ended) this[Symbol.dispose]()
      else this.close()
    }
  }

  /** Ends the request and its connection. Idempotent. */
  close(): void {
    this[Symbol.dispose]()
    this.#abort()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => this.#controller.abort(ENDED)

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#wait(this.#idleMs)
  }

  #wait(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // `restart` sets the timer again, although it has ended.
      if (this.#isYielding) return
      this.#expired = true
      this.#abort()
    }, ms)
    // The connection keeps the process alive; a response that nobody reads doesn't.
    return timer.unref()
  }
}

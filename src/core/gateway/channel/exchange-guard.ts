import { failureOfAbort, SottoError } from '../../../shared/errors.ts'

/** Made once: an abort without a reason makes an error with a stack each time. */
const CLOSED = new Error('the exchange was closed')

export interface Timeouts {
  /** Longest wait for the first byte of an answer's body, in ms: a model may think for minutes, whether or not its headers came before. */
  readonly firstByteMs: number
  /** Longest silence after that, in ms. */
  readonly idleMs: number
}

/** What a body goes through under the guard. */
export interface Through {
  /** What `chunk` makes of the body, in order. */
  readonly push: (chunk: Uint8Array) => readonly Uint8Array[]
  /** The body ended. Throws where it is not whole. */
  readonly end?: () => void
}

const UNCHANGED: Through = { push: (chunk) => [chunk] }

/**
 * Ends one exchange when its caller goes away or the other side falls silent, and names which it was: request/canceled, service/timeout.
 * Its signal goes to the fetch, so that the connection is closed at once and nobody pays for words that nobody reads.
 */
export class ExchangeGuard {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  readonly #patience: Timeouts
  #timer: NodeJS.Timeout
  #stalled = false

  constructor(caller: AbortSignal, timeouts: Timeouts) {
    this.#caller = caller
    this.#patience = timeouts
    this.#timer = setTimeout(this.#onSilence, timeouts.firstByteMs)
    caller.addEventListener('abort', this.#onCallerGone)
    if (caller.aborted) this.#controller.abort(CLOSED)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly #onCallerGone = (): void => this.#controller.abort(CLOSED)
  readonly #onSilence = (): void => {
    this.#stalled = true
    this.#controller.abort(CLOSED)
  }

  /** What a failure of this exchange was: itself where it is coded, else what failureOfAbort says, service/timeout or `otherwise`. */
  reasonFor(cause: unknown, otherwise: 'service/unreachable' | 'service/interrupted'): SottoError {
    if (cause instanceof SottoError) return cause
    if (this.#caller.aborted) return failureOfAbort(this.#caller, cause)
    return new SottoError(this.#stalled ? 'service/timeout' : otherwise, { cause })
  }

  /** Ends the exchange from this side, and its connection; safe to call again. */
  close(): void {
    this.#release()
    this.#controller.abort(CLOSED)
  }

  /** From the first byte on the answer is one that comes. */
  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onSilence, this.#patience.idleMs)
  }

  #release(): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#onCallerGone)
  }

  /**
   * Passes a body on under the guard, and closes the exchange with it unless it came to its end. Throws what `push` and `end` throw coded, else
   * request/canceled, service/timeout or service/interrupted. What becomes of each chunk is done in here, since
   * every generator that a chunk goes through takes longer than that.
   */
  async *watch(
    body: AsyncIterable<Uint8Array> | null,
    { push, end }: Through = UNCHANGED,
  ): AsyncGenerator<Uint8Array, void> {
    let begun = false
    let ended = false
    try {
      for await (const chunk of body ?? []) {
        if (begun) this.#timer.refresh()
        else this.#begin()
        begun = true
        for (const piece of push(chunk)) yield piece
        this.#timer.refresh()
      }
      end?.()
      ended = true
    } catch (cause) {
      throw this.reasonFor(cause, 'service/interrupted')
    } finally {
      // A whole answer leaves its connection open for the next one.
      if (ended) this.#release()
      else this.close()
    }
  }
}

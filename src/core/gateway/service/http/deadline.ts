import { failureOfAbort, SottoError } from '../../../../shared/errors.ts'

/** Made once: an abort without a reason makes an error with a stack each time. */
const ENDED = new Error('the request was ended')

/**
 * The one way in which a request of the client ends early: its caller stops it, or nothing moves for `ms`. Its signal goes
 * to the fetch, so that the connection closes at once: request/canceled, service/timeout. `moved` restarts the wait, because bytes were sent or received.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #late = false

  constructor(caller: AbortSignal | undefined, ms: number) {
    this.#caller = caller
    this.#timer = setTimeout(() => {
      this.#late = true
      this.#controller.abort(ENDED)
    }, ms)
    // The connection keeps the process alive, and an answer that nobody reads does not.
    this.#timer.unref()
    caller?.addEventListener('abort', this.#onCaller, { once: true })
    if (caller?.aborted) this.#controller.abort(ENDED)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly #onCaller = (): void => this.#controller.abort(ENDED)

  moved(): void {
    this.#timer.refresh()
  }

  /** What a failure was: a coded one is itself, the caller's stop is request/canceled, too long a wait service/timeout. */
  reasonFor(cause: unknown, otherwise: 'service/unreachable' | 'service/interrupted'): SottoError {
    if (this.#caller?.aborted) return failureOfAbort(this.#caller, cause)
    if (this.#late) return new SottoError('service/timeout', { cause })
    if (cause instanceof SottoError) return cause
    return new SottoError(otherwise, { cause })
  }

  /** Passes a body on, each chunk as a sign of life; failures are coded. Ends the deadline with it. */
  async *watch(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of body ?? []) {
        this.moved()
        yield chunk
        this.moved()
      }
    } catch (cause) {
      throw this.reasonFor(cause, 'service/interrupted')
    } finally {
      this[Symbol.dispose]()
    }
  }

  /** Ends the request from this side, and its connection where the answer is not whole. */
  close(): void {
    this[Symbol.dispose]()
    this.#controller.abort(ENDED)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#onCaller)
  }
}

import type { SottoError } from '../../../shared/errors.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'
import { failureOf, rateLimitWait, SLICE_MS, type Failure } from '../failure.ts'

/** After this many failures in a row, the next rows would probably fail too. */
const MOST_FAILURES = 10
const MOST_UNKNOWN = 3

/**
 * Decides whether further rows of a running batch may be sent: a circuit breaker with back-off. No row is
 * sent after there is a reason to pause; resuming the batch creates a new breaker. If one row is rate
 * limited, all rows wait with it.
 */
export class BatchBreaker {
  readonly #jobId: string
  readonly #options: Pick<HandlerOptions, 'now' | 'wait' | 'closed' | 'stopped'>
  #pause: Failure | undefined
  /** Unix ms. All rows wait until then if any row has to. */
  #waitUntil = 0
  /** Unix ms of the last check of the clock. */
  #lookedAt = 0
  #late = 0
  #failures = 0
  #unknown = 0

  constructor(jobId: string, options: Pick<HandlerOptions, 'now' | 'wait' | 'closed' | 'stopped'>) {
    this.#jobId = jobId
    this.#options = options
  }

  /** The reason to pause the batch; undefined if there is none, even if the batch is over. */
  get pause(): Failure | undefined {
    return this.#pause
  }

  /**
   * No further row is sent: there is a reason to pause, the owner stopped or paused the batch, or this
   * process ends.
   */
  get isOver(): boolean {
    const { stopped, closed } = this.#options
    return this.#pause !== undefined || closed.aborted || stopped(this.#jobId) !== undefined
  }

  /** The first reason wins. */
  pauseFor(pause: Failure): void {
    this.#pause ??= pause
  }

  /**
   * Resolves to true once the service accepts more requests, and to false if the batch is over before that.
   */
  async turn(): Promise<boolean> {
    const { wait, closed } = this.#options
    for (;;) {
      if (this.isOver) return false
      const left = this.#left()
      if (left <= 0) return true
      await wait(Math.min(left, SLICE_MS), closed).catch(() => undefined)
    }
  }

  /**
   * Handles service/rate-limited for one row. Returns `later` if the row is to be sent again after its
   * turn. Returns undefined after too many rate limits in a row, which is a reason to pause.
   */
  later(failure: SottoError): 'later' | undefined {
    const wait = rateLimitWait(failure, this.#late)
    this.#late += 1
    if (wait === undefined) {
      this.pauseFor(failureOf(failure))
      return undefined
    }
    const left = this.#left()
    this.#waitUntil = this.#lookedAt + Math.max(left, wait)
    return 'later'
  }

  /** The rest of the wait in ms. If the clock was set back, it's as long as before. */
  #left(): number {
    const now = this.#options.now()
    if (now < this.#lookedAt) this.#waitUntil -= this.#lookedAt - now
    this.#lookedAt = now
    return this.#waitUntil - now
  }

  /** A row failed. MOST_FAILURES of them without a success in between are a reason to pause. */
  failed(failure: Failure): void {
    this.#failures += 1
    if (this.#failures >= MOST_FAILURES) this.pauseFor(failure)
  }

  /**
   * The outcome of a row is unknown. MOST_UNKNOWN of them without a success in between are a reason to
   * pause.
   */
  unknown(): void {
    this.#unknown += 1
    if (this.#unknown >= MOST_UNKNOWN) this.pauseFor({ code: 'studio/outcome-unknown' })
  }

  /** A row succeeded, which resets the counts of failures. */
  answered(): void {
    this.#failures = 0
    this.#unknown = 0
    this.#late = 0
  }
}

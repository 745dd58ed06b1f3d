import type { SottoError } from '../../../shared/errors.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'
import { failureOf, type Failure } from '../failure.ts'
import { rateLimitWait, SLICE_MS } from '../rate-limit-wait.ts'

/** Where so many fail one after another, the next ones would too. */
const MOST_FAILURES = 10
const MOST_UNKNOWN = 3

/**
 * Whether further rows of a batch that is under way may leave: a circuit breaker with a back-off. None does once there is a reason to
 * pause, and whoever has it go on begins with a new one; where one row is turned away for now, all wait with it.
 */
export class BatchBreaker {
  readonly #jobId: string
  readonly #options: Pick<HandlerOptions, 'now' | 'wait' | 'closed' | 'stopped'>
  #pause: Failure | undefined
  /** Unix ms. Of any row that waits: the others wait with it. */
  #waitUntil = 0
  /** Unix ms of when that was last looked at. */
  #lookedAt = 0
  #late = 0
  #failures = 0
  #unknown = 0

  constructor(jobId: string, options: Pick<HandlerOptions, 'now' | 'wait' | 'closed' | 'stopped'>) {
    this.#jobId = jobId
    this.#options = options
  }

  /** Why the batch has to pause; undefined where there is no reason, whether or not it is over. */
  get pause(): Failure | undefined {
    return this.#pause
  }

  /** No further row leaves: there is a reason to pause, its owner stopped or paused it, or this process ends. */
  get isOver(): boolean {
    const { stopped, closed } = this.#options
    return this.#pause !== undefined || closed.aborted || stopped(this.#jobId) !== undefined
  }

  /** The first reason is kept. */
  pauseFor(pause: Failure): void {
    this.#pause ??= pause
  }

  /** Resolves once the service takes more; false where it is over before. */
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
   * A row was turned away by service/rate-limited: `later` where it is sent again after its turn; undefined where that was so too
   * often, which is a reason to pause.
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

  /** What is left of the wait, in ms: as much as before where the clock was set back. */
  #left(): number {
    const now = this.#options.now()
    if (now < this.#lookedAt) this.#waitUntil -= this.#lookedAt - now
    this.#lookedAt = now
    return this.#waitUntil - now
  }

  /** A row failed: MOST_FAILURES of them, with none answered in between, are a reason to pause. */
  failed(failure: Failure): void {
    this.#failures += 1
    if (this.#failures >= MOST_FAILURES) this.pauseFor(failure)
  }

  /** Nobody knows whether a row was done: MOST_UNKNOWN of them, with none answered in between, are a reason to pause. */
  unknown(): void {
    this.#unknown += 1
    if (this.#unknown >= MOST_UNKNOWN) this.pauseFor({ code: 'studio/outcome-unknown' })
  }

  /** A row was answered: what failed before it counts no more. */
  answered(): void {
    this.#failures = 0
    this.#unknown = 0
    this.#late = 0
  }
}

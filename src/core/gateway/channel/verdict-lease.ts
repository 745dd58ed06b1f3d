import type { Verdict } from '../../../shared/verdict.ts'

/** A wall clock that is set back by this much voids every verdict, because its end is no longer reliable. */
const CLOCK_STEP_BACK_MS = 5 * 60_000
/**
 * If this much wall time passes without the process's clock or without a beat, the machine slept or the clock
 * was set.
 */
const SLEEP_MS = 60_000
/** On macOS and Windows the process's clock continues during sleep; its timers don't. */
const BEAT_MS = 15_000

export interface Clocks {
  /** Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
}

/** A good verdict and the time for which it's valid. */
export class VerdictLease {
  readonly verdict: Verdict
  readonly #clocks: Clocks
  readonly #offset: number
  readonly #beats: NodeJS.Timeout
  #latest: number
  /** Wall time of the last beat. */
  #beat: number

  constructor(verdict: Verdict, clocks: Clocks) {
    this.verdict = verdict
    this.#clocks = clocks
    this.#latest = clocks.now()
    this.#beat = this.#latest
    this.#offset = this.#latest - clocks.monotonic()
    this.#beats = setInterval(() => {
      if (this.remaining() > 0) this.#beat = this.#latest
      else this.end()
    }, BEAT_MS).unref()
  }

  /** Ms until it ends; 0 once it has ended, permanently. */
  remaining(): number {
    const now = this.#clocks.now()
    const drift = now - this.#clocks.monotonic() - this.#offset
    if (now < this.#latest - CLOCK_STEP_BACK_MS || drift > SLEEP_MS || now - this.#beat > SLEEP_MS)
      this.#latest = Infinity
    else if (now > this.#latest) this.#latest = now
    return Math.max(0, this.verdict.validUntil - this.#latest)
  }

  /** Ends the lease at once. */
  end(): void {
    this.#latest = Infinity
    clearInterval(this.#beats)
  }
}

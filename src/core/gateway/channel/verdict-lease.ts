import type { Verdict } from '../../../shared/verdict.ts'

/** A wall clock that steps back this far voids every verdict: its end can no longer be trusted. */
const CLOCK_STEP_BACK_MS = 5 * 60_000
/** Wall time that passed without the process's own clock, or without a beat: the machine slept, or the clock was set. */
const SLEEP_MS = 60_000
/** On macOS and Windows the process's own clock runs on through sleep; its timers do not. */
const BEAT_MS = 15_000

export interface Clocks {
  /** Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start; does not follow the wall clock. */
  readonly monotonic: () => number
}

/** A good verdict for as long as it may be relied on. */
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

  /** Ms until it ends; 0 once it has ended, and for good. */
  remaining(): number {
    const now = this.#clocks.now()
    const drift = now - this.#clocks.monotonic() - this.#offset
    if (now < this.#latest - CLOCK_STEP_BACK_MS || drift > SLEEP_MS || now - this.#beat > SLEEP_MS)
      this.#latest = Infinity
    else if (now > this.#latest) this.#latest = now
    return Math.max(0, this.verdict.validUntil - this.#latest)
  }

  /** Nothing is to be relied on any more. */
  end(): void {
    this.#latest = Infinity
    clearInterval(this.#beats)
  }
}

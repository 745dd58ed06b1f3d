import { createHistogram } from 'node:perf_hooks'

/** The interval of the timer. A shorter one would wake an idle process more often. */
const EVERY_MS = 50
const US_PER_MS = 1000
const US_PER_S = 1e6

/** In seconds: the median, the 99th percentile and the longest. */
export type LagStatistics = ReadonlyMap<'p50' | 'p99' | 'max', number>

/**
 * Measures how late the event loop runs its timers: the time that other requests wait while one is calculated.
 * It begins to measure when it's created, which is at the first scrape. Node's own monitor would lose the sample
 * after each reset.
 */
export class LoopLag {
  /** In microseconds. A histogram has no 0. */
  readonly #lags = createHistogram()

  constructor() {
    let due = performance.now() + EVERY_MS
    setInterval(() => {
      const now = performance.now()
      this.#lags.record(Math.max(1, Math.round((now - due) * US_PER_MS)))
      due = now + EVERY_MS
    }, EVERY_MS).unref()
  }

  /** Returns the lag since the last call; nothing if there was no sample. */
  read(): LagStatistics {
    const lags = this.#lags
    if (lags.count === 0) return new Map()
    const statistics: LagStatistics = new Map([
      ['p50', lags.percentile(50) / US_PER_S],
      ['p99', lags.percentile(99) / US_PER_S],
      ['max', lags.max / US_PER_S],
    ])
    lags.reset()
    return statistics
  }
}

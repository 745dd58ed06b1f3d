export type Labels = Record<string, string>

/** The distribution of times under one set of labels: counts by bound, the last one for all times above. */
export interface Spread {
  readonly counts: number[]
  sumMs: number
}

/** Distributions of times, by labels from closed sets. */
export class Spreads {
  /** Upper bounds in ms, ascending. */
  readonly bounds: readonly number[]
  readonly #spreads = new Map<string, { readonly labels: Labels; readonly value: Spread }>()

  /** @param bounds upper bounds in ms, ascending */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
  }

  /** Counts a time. If it's unknown, nothing is counted. @param ms at least 0 */
  note(labels: Labels, ms: number | undefined): void {
    if (ms === undefined) return
    const key = Object.values(labels).join(' ')
    let spread = this.#spreads.get(key)
    if (!spread) {
      spread = { labels, value: { counts: this.bounds.map(() => 0).concat(0), sumMs: 0 } }
      this.#spreads.set(key, spread)
    }
    const at = this.bounds.findIndex((bound) => ms <= bound)
    const bucket = at < 0 ? this.bounds.length : at
    spread.value.counts[bucket] = (spread.value.counts[bucket] ?? 0) + 1
    spread.value.sumMs += ms
  }

  all(): Iterable<{ readonly labels: Labels; readonly value: Readonly<Spread> }> {
    return this.#spreads.values()
  }
}

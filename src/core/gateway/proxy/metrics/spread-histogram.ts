import { Histogram } from 'prom-client'
import type { Labels, Spread, Spreads } from './spreads.ts'

/**
 * A histogram with the counts of a tally. Observing each request would omit those before the first scrape.
 */
export class SpreadHistogram extends Histogram {
  readonly #named: { readonly name: string; readonly help: string }
  readonly #spreads: Spreads

  /** @param name ends in `_seconds` */
  constructor(name: string, help: string, spreads: Spreads) {
    super({ name, help, registers: [] })
    this.#named = { name, help }
    this.#spreads = spreads
  }

  /** Returns the metric for the registry (prom-client 15, lib/registry.js). */
  getForPromString(): Promise<object> {
    const values = [...this.#spreads.all()].flatMap(({ labels, value }) => this.#lines(labels, value))
    return Promise.resolve({ ...this.#named, type: 'histogram', aggregator: 'sum', values })
  }

  /** Buckets in Prometheus's format: cumulative, in seconds. */
  #lines(labels: Labels, { counts, sumMs }: Readonly<Spread>): object[] {
    const { name } = this.#named
    let total = 0
    const buckets = counts.map((count, at) => {
      total += count
      const bound = this.#spreads.bounds[at]
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: bound === undefined ? '+Inf' : bound / 1000 },
        value: total,
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }
}

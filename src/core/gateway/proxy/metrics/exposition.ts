import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Verdict } from '../../../../shared/verdict.ts'
import type { KeyBudgetLeft } from './budgets-left.ts'
import { ADDED_MS_BOUNDS, type Labels, type RequestTally, type Spread } from './request-tally.ts'

const PICO = 1e12

export interface Measured {
  readonly tally: RequestTally
  readonly service: 'sandbox' | 'service'
  readonly version: string
  /** Returns the verdict in force, or the last one. */
  readonly verdict: () => Verdict | null
  readonly budgetsLeft: () => readonly KeyBudgetLeft[]
  /** Unix ms. */
  readonly now: () => number
}

export interface Exposition {
  readonly contentType: string
  readonly text: () => Promise<string>
}

/** Creates the answer of `GET /metrics`, in Prometheus's text format. Values are read at each request. */
export function createExposition(measured: Measured): Exposition {
  const registry = new Registry()
  const registers = [registry]
  const { tally, verdict, budgetsLeft, now } = measured

  new Gauge({
    name: 'sotto_info',
    help: 'Always 1; what is running.',
    labelNames: ['version', 'service'],
    registers,
  }).set({ version: measured.version, service: measured.service }, 1)
  counter(
    'sotto_requests_total',
    'Requests that ended, by where they went and how they ended.',
    ['caller', 'path', 'privacy', 'outcome', 'code'],
    () => pairs(tally.requests(), (count) => count),
  )
  counter(
    'sotto_tokens_total',
    'Tokens that whole answers reported.',
    ['privacy', 'model', 'kind'],
    function* () {
      for (const { labels, value } of tally.models()) {
        yield [{ ...labels, kind: 'prompt' }, value.promptTokens]
        yield [{ ...labels, kind: 'completion' }, value.completionTokens]
      }
    },
  )
  counter('sotto_cost_usd_total', 'What whole answers cost, in US dollars.', ['privacy', 'model'], () =>
    pairs(tally.models(), ({ picoUsd }) => Number(picoUsd) / PICO),
  )
  counter(
    'sotto_cost_differences_total',
    'Answers whose stated cost differed from the price list by more than 10 % and 0.001 US dollars.',
    [],
    () => [[{}, tally.differences]],
  )
  registry.registerMetric(new AddedHistogram(tally))
  gauge('sotto_in_flight_requests', 'Requests that have not ended.', () => tally.inFlight)
  perKey(
    'sotto_key_budget_remaining_usd',
    'Remaining budget of a local key in its current period, in US dollars.',
    ({ picoUsd }) => picoUsd,
  )
  perKey(
    'sotto_key_budget_limit_usd',
    'Budget of a local key in its current period with its temporary increase, in US dollars.',
    ({ usable }) => usable,
  )
  gauge(
    'sotto_verdict_in_force',
    '1 while private requests can be sealed by a verdict that was made before.',
    () => {
      const current = verdict()
      return current !== null && current.good && now() < current.validUntil ? 1 : 0
    },
  )
  gauge('sotto_verdict_age_seconds', 'Since the last verdict was made; absent before the first.', () =>
    secondsSince(verdict()?.verifiedAt),
  )
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss())
  gauge(
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds.',
    () => now() / 1000 - process.uptime(),
  )

  function counter(
    name: string,
    help: string,
    labelNames: string[],
    read: () => Iterable<readonly [Labels, number]>,
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const [labels, value] of read()) this.inc(labels, value)
      },
    })
  }
  function gauge(name: string, help: string, read: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  }
  function perKey(name: string, help: string, amount: (budget: KeyBudgetLeft) => bigint): void {
    new Gauge({
      name,
      help,
      labelNames: ['key'],
      registers,
      collect() {
        // Removes the series of revoked and renamed keys.
        this.reset()
        for (const budget of budgetsLeft()) this.set({ key: budget.key }, Number(amount(budget)) / PICO)
      },
    })
  }
  function secondsSince(at: number | undefined): number | undefined {
    return at === undefined ? undefined : (now() - at) / 1000
  }

  return { contentType: registry.contentType, text: () => registry.metrics() }
}

function* pairs<Value>(
  counts: Iterable<{ readonly labels: Labels; readonly value: Value }>,
  toNumber: (value: Value) => number,
): Generator<readonly [Labels, number]> {
  for (const { labels, value } of counts) yield [labels, toNumber(value)]
}

const ADDED = {
  name: 'sotto_added_seconds',
  help: 'What Sotto added before an answer began, waiting left out.',
} as const

/**
 * A histogram with the counts of the tally. Observing each request would omit those before the first scrape.
 */
class AddedHistogram extends Histogram {
  readonly #tally: RequestTally

  constructor(tally: RequestTally) {
    super({ ...ADDED, registers: [] })
    this.#tally = tally
  }

  /** Returns the metric for the registry (prom-client 15, lib/registry.js). */
  getForPromString(): Promise<object> {
    const values = [...this.#tally.added()].flatMap(({ labels, value }) => lines(ADDED.name, labels, value))
    return Promise.resolve({ ...ADDED, type: 'histogram', aggregator: 'sum', values })
  }
}

function lines(name: string, labels: Labels, { counts, sumMs }: Spread): object[] {
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    const bound = ADDED_MS_BOUNDS[at]
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

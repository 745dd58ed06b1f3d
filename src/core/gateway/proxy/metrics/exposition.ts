import { Counter, Gauge, Registry } from 'prom-client'
import type { Verdict } from '../../../../shared/verdict.ts'
import type { KeyBudgetLeft } from './budgets-left.ts'
import type { LagStatistics } from './loop-lag.ts'
import type { SharedGauge } from '../route-context.ts'
import type { RequestTally } from './request-tally.ts'
import type { Labels } from './spreads.ts'
import { SpreadHistogram } from './spread-histogram.ts'

const PICO = 1e12

export interface Measured {
  readonly tally: RequestTally
  readonly service: 'sandbox' | 'service'
  readonly version: string
  /** Returns the verdict in force, or the last one. */
  readonly verdict: () => Verdict | null
  readonly budgetsLeft: () => readonly KeyBudgetLeft[]
  /** The keys that are neither revoked nor expired. */
  readonly liveKeys: () => readonly { readonly id: string; readonly name: string }[]
  /** The balance of the active account as it was last read, in pico-USD, and the time in Unix ms. */
  readonly balance: () => { readonly picoUsd: bigint; readonly at: number } | null
  readonly lag: () => LagStatistics
  /** The numbers of the database that replicas share; empty without one. Their names don't change. */
  readonly shared: () => readonly SharedGauge[]
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
  const { tally, verdict, budgetsLeft, liveKeys, balance, lag, now } = measured

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
  for (const [name, help, spreads] of [
    ['sotto_added_seconds', 'What Sotto added before an answer began, waiting left out.', tally.added],
    [
      'sotto_request_duration_seconds',
      'From the complete request to the end of its answer.',
      tally.durations,
    ],
    [
      'sotto_first_token_seconds',
      'From the complete chat request to the first byte of its answer.',
      tally.firstTokens,
    ],
  ] as const)
    registry.registerMetric(new SpreadHistogram(name, help, spreads))
  counter(
    'sotto_key_requests_total',
    'Requests of a local key that ended, by how they ended.',
    ['key', 'outcome'],
    function* () {
      for (const { id, name } of liveKeys())
        for (const [outcome, count] of tally.keys.of(id)?.requests ?? [])
          yield [{ key: name, outcome }, count]
    },
  )
  counter(
    'sotto_key_tokens_total',
    'Tokens that whole answers to a local key reported.',
    ['key', 'kind'],
    function* () {
      for (const { id, name } of liveKeys()) {
        const { promptTokens = 0, completionTokens = 0 } = tally.keys.of(id) ?? {}
        yield [{ key: name, kind: 'prompt' }, promptTokens]
        yield [{ key: name, kind: 'completion' }, completionTokens]
      }
    },
  )
  counter('sotto_key_cost_usd_total', 'What a local key was charged, in US dollars.', ['key'], function* () {
    for (const { id, name } of liveKeys())
      yield [{ key: name }, Number(tally.keys.of(id)?.picoUsd ?? 0n) / PICO]
  })
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
      return verdictState(verdict(), now()) === 'in_force' ? 1 : 0
    },
  )
  gauge('sotto_verdict_age_seconds', 'Since the last verdict was made; absent before the first.', () =>
    secondsSince(verdict()?.verifiedAt),
  )
  labelled('sotto_verdict_state', '1 for the state of the last verdict, 0 for the others.', 'state', () => {
    const state = verdictState(verdict(), now())
    return verdictStates.map((each) => [each, each === state ? 1 : 0])
  })
  gauge(
    'sotto_balance_usd',
    'Balance of the account when it was last read, in US dollars; absent before.',
    () => {
      const seen = balance()
      return seen ? Number(seen.picoUsd) / PICO : undefined
    },
  )
  gauge('sotto_balance_age_seconds', 'Since the balance was last read; absent before.', () =>
    secondsSince(balance()?.at),
  )
  labelled(
    'sotto_event_loop_lag_seconds',
    'Delay of timers since the last scrape; absent at the first.',
    'statistic',
    lag,
  )
  for (const { name, help } of measured.shared())
    gauge(name, help, () => measured.shared().find((each) => each.name === name)?.value)
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
    labelled(name, help, 'key', () =>
      budgetsLeft().map((budget) => [budget.key, Number(amount(budget)) / PICO]),
    )
  }
  function labelled(
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [string, number]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        // Removes series that are no longer read, such as those of revoked and renamed keys.
        this.reset()
        for (const [value, amount] of read()) this.set({ [label]: value }, amount)
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

const verdictStates = ['none', 'failed', 'expired', 'in_force'] as const

function verdictState(verdict: Verdict | null, now: number): (typeof verdictStates)[number] {
  if (!verdict) return 'none'
  if (!verdict.good) return 'failed'
  return now < verdict.validUntil ? 'in_force' : 'expired'
}

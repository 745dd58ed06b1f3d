import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyBudgets, type KeyBudgets, type Reservation } from '../../../src/core/payments/index.ts'
import { budgetPeriods, type KeyLimits } from '../../../src/shared/key-limits.ts'
import { limitClockOf } from './scripted-clock.ts'
import { MemoryJournal } from './memory-journal.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const DAY_MS = 86_400_000
const exceeded: unknown = expect.objectContaining({ code: 'budget/exceeded', status: 402 })
const unknownPrice: unknown = expect.objectContaining({ code: 'budget/price-unknown', status: 402 })

function budgets(
  limits: KeyLimits,
  journal = new MemoryJournal(),
  clock = { now: NOON },
): {
  reserve: (most: bigint | 'unknown') => Reservation
  opened: KeyBudgets
  journal: MemoryJournal
  clock: { now: number }
  limits: { now: KeyLimits }
} {
  const current = { now: limits }
  const opened = createKeyBudgets({
    journal,
    limitsOf: () => current.now,
    clock: limitClockOf(() => clock.now),
  })
  return { reserve: (most) => opened.reserve('key', most), opened, journal, clock, limits: current }
}

describe('a budget', () => {
  test('reserves the maximum of a request, and releases the part that it didn’t cost', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const first = reserve(60n)
    expect(() => reserve(41n)).toThrow(exceeded)
    const second = reserve(40n)
    expect(() => reserve(1n)).toThrow(exceeded)
    expect(first.settle(25n)).toBe(25n)
    expect(() => reserve(36n)).toThrow(exceeded)
    const third = reserve(35n)
    expect(second.settle('unknown')).toBe(40n)
    expect(third.settle(0n)).toBe(0n)
    expect(() => reserve(36n)).toThrow(exceeded)
    expect(reserve(35n)).not.toBeNull()
  })

  test('is settled once per request', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const request = reserve(100n)
    expect([request.settle(30n), request.settle(0n), request.settle('unknown')]).toEqual([30n, 30n, 30n])
    expect(() => reserve(71n)).toThrow(exceeded)
    expect(reserve(70n)).not.toBeNull()
  })

  test('is corrected on the day that a request was charged to, never below zero, and not if it can’t be saved', () => {
    const { reserve, opened, clock } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const request = reserve(60n)
    request.settle('unknown')
    const saved: bigint[] = []
    opened.correct('key', request.day, -40n, (spent) => saved.push(spent))
    expect(opened.money('key').spent).toBe(20n)
    expect(() => reserve(81n)).toThrow(exceeded)
    expect(() =>
      opened.correct('key', request.day, 5n, () => {
        throw new Error('the disk refuses')
      }),
    ).toThrow('the disk refuses')
    expect(opened.money('key').spent).toBe(20n)
    opened.correct('key', request.day, -21n, (spent) => saved.push(spent))
    opened.correct('key', request.day, 130n, (spent) => saved.push(spent))
    expect(saved).toEqual([20n, 0n, 130n])
    expect(() => reserve(1n)).toThrow(exceeded)
    clock.now += DAY_MS
    opened.correct('key', request.day, 7n, () => undefined)
    expect(opened.money('key').spent).toBe(0n)
  })

  test('of zero allows requests that can’t cost anything, and no others', () => {
    const { reserve } = budgets({ budget: { picoUsd: 0n, period: 'total' } })
    expect(() => reserve(1n)).toThrow(exceeded)
    expect(reserve(0n).settle('unknown')).toBe(0n)
  })

  test('that isn’t set refuses nothing and writes nothing, and one that is set later includes the earlier costs', () => {
    const { reserve, journal, limits, opened } = budgets({})
    journal.refuses = true
    expect([
      reserve(70n).settle(60n),
      reserve('unknown').settle(5n),
      reserve('unknown').settle('unknown'),
    ]).toEqual([60n, 5n, 0n])
    const running = reserve(30n)
    expect(opened.money('key')).toEqual({ spent: 65n, reserved: 30n })
    journal.refuses = false
    limits.now = { budget: { picoUsd: 100n, period: 'day' } }
    expect(() => reserve(6n)).toThrow(exceeded)
    reserve(5n)
    expect(running.settle('unknown')).toBe(30n)
    expect(() => reserve(1n)).toThrow(exceeded)
  })

  test('refuses a request without a known maximum, unless the key allows it', () => {
    expect(() => budgets({ budget: { picoUsd: 100n, period: 'day' } }).reserve('unknown')).toThrow(
      unknownPrice,
    )
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' }, allowUnpriced: true })
    expect(reserve('unknown').settle('unknown')).toBe(0n)
    expect(reserve('unknown').settle(101n)).toBe(101n)
    expect(() => reserve('unknown')).toThrow(exceeded)
    expect(() => reserve(1n)).toThrow(exceeded)
  })

  test('counts a cost above the reserved maximum', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    expect(reserve(10n).settle(95n)).toBe(95n)
    expect(() => reserve(6n)).toThrow(exceeded)
  })

  test('renews in the next period, in which a request of the last one doesn’t count', () => {
    const { reserve, clock } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const late = reserve(80n)
    clock.now += DAY_MS
    const next = reserve(100n)
    expect(late.settle('unknown')).toBe(80n)
    next.settle(0n)
    expect(reserve(100n)).not.toBeNull()
    clock.now -= DAY_MS
    expect(() => reserve(21n)).toThrow(exceeded)
  })

  test('applies from the next request when it’s changed, and includes earlier spending', () => {
    const { reserve, limits, clock } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    reserve(80n).settle(80n)
    limits.now = { budget: { picoUsd: 50n, period: 'day' } }
    expect(() => reserve(1n)).toThrow(exceeded)
    clock.now += DAY_MS
    limits.now = { budget: { picoUsd: 100n, period: 'week' } }
    expect(() => reserve(21n)).toThrow(exceeded)
    expect(reserve(20n)).not.toBeNull()
  })

  test('reports the remaining amount, and until when', () => {
    const { reserve } = budgets({ budget: { picoUsd: 2_000_000_000_000n, period: 'month' } })
    reserve(1_500_000_000_000n)
    expect(() => reserve(750_000_000_000n)).toThrow(
      /can cost up to \$0\.75\. \$0\.50 of \$2\.00 remains until 2026-12-01\. /,
    )
  })

  test('reports the amounts spent and reserved in its period, its renewal, and whose amounts changed', () => {
    const changed: string[] = []
    const clock = { now: NOON }
    let limits: KeyLimits = { budget: { picoUsd: 100n, period: 'day' } }
    const opened = createKeyBudgets({
      journal: new MemoryJournal(),
      limitsOf: () => limits,
      clock: limitClockOf(() => clock.now),
      onChange: (keyId) => changed.push(keyId),
    })
    const money = (keyId: string) => opened.money(keyId)
    const first = opened.reserve('a', 60n)
    opened.reserve('b', 10n)
    expect(money('a')).toEqual({ spent: 0n, reserved: 60n, renewsAt: Date.UTC(2026, 10, 19) })
    first.settle(25n)
    first.settle(25n)
    expect(() => opened.reserve('a', 76n)).toThrow(exceeded)
    expect(changed).toEqual(['a', 'b', 'a'])
    expect(money('a')).toEqual({ spent: 25n, reserved: 0n, renewsAt: Date.UTC(2026, 10, 19) })
    clock.now += DAY_MS
    expect(money('a')).toEqual({ spent: 0n, reserved: 0n, renewsAt: Date.UTC(2026, 10, 20) })
    limits = { budget: { picoUsd: 100n, period: 'month' } }
    expect(money('a')).toEqual({ spent: 25n, reserved: 0n, renewsAt: Date.UTC(2026, 11, 1) })
    limits = { budget: { picoUsd: 100n, period: 'total' } }
    expect(money('a')).toEqual({ spent: 25n, reserved: 0n })
    expect(money('nobody')).toEqual({ spent: 0n, reserved: 0n })
  })

  test('reserves nothing if the reservation can’t be saved', () => {
    const { reserve, journal } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    journal.refuses = true
    expect(() => reserve(100n)).toThrow('the disk refuses')
    journal.refuses = false
    expect(reserve(100n)).not.toBeNull()
  })
})

/** One request as the model sees it: what it did cost, or may, and what stands for it in the books. */
interface Sent {
  readonly at: number
  readonly most: bigint
  readonly reservation: Reservation
  running: boolean
  cost: bigint
  counted: bigint
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('reserve' as const), most: fc.bigInt({ min: 0n, max: 60n }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      share: fc.integer({ min: 0, max: 100 }),
      known: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
)

/**
 * What a kill charged beyond what requests did cost or may: by day, never less than nothing, and never more than what those
 * that had just ended could have cost besides.
 */
function overcounted(journal: MemoryJournal, sent: readonly Sent[], uncertain: readonly Sent[]): Sent[] {
  const days = new Map(sent.map(({ at }) => [Math.floor(at / DAY_MS), at]))
  const booked = journal.spent('key')
  return [...days].flatMap(([day, at]) => {
    const sum = (of: readonly Sent[], amount: 'counted' | 'most') =>
      of
        .filter((request) => Math.floor(request.at / DAY_MS) === day)
        .reduce((all, request) => all + request[amount], 0n)
    const over = (booked.get(day) ?? 0n) - sum(sent, 'counted')
    expect(over >= 0n).toBe(true)
    expect(over <= sum(uncertain, 'most')).toBe(true)
    return over > 0n && sent[0]
      ? [{ at, most: over, reservation: sent[0].reservation, running: false, cost: 0n, counted: over }]
      : []
  })
}

/** By the text of the date, not by the arithmetic that is tested. */
function sameDay(a: number, b: number): boolean {
  return new Date(a).toISOString().slice(0, 10) === new Date(b).toISOString().slice(0, 10)
}
function samePeriod(period: (typeof budgetPeriods)[number], a: number, b: number): boolean {
  if (period === 'total') return true
  if (period === 'month')
    return new Date(a).toISOString().slice(0, 7) === new Date(b).toISOString().slice(0, 7)
  if (period === 'day') return sameDay(a, b)
  const monday = (at: number) => at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS
  return sameDay(monday(a), monday(b))
}

test('no sequence of requests, results, days and crashes spends more than the budget of a period, or releases spent money', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...budgetPeriods),
      fc.bigInt({ min: 0n, max: 150n }),
      fc.array(step, { maxLength: 60 }),
      (period, picoUsd, steps) => {
        const journal = new MemoryJournal()
        const clock = { now: NOON }
        const open = (): KeyBudgets =>
          createKeyBudgets({
            journal,
            limitsOf: () => ({ budget: { picoUsd, period } }),
            clock: limitClockOf(() => clock.now),
          })
        let opened = open()
        const sent: Sent[] = []
        /** Ended since the last flush: a kill charges these at their most. */
        let uncertain: Sent[] = []
        const sum = (at: number, of: 'cost' | 'counted') =>
          sent
            .filter((request) => samePeriod(period, request.at, at))
            .reduce((all, request) => all + request[of], 0n)

        for (const each of steps) {
          switch (each.kind) {
            case 'reserve': {
              const fits = each.most === 0n || sum(clock.now, 'counted') + each.most <= picoUsd
              if (fits) {
                sent.push({
                  at: clock.now,
                  most: each.most,
                  reservation: opened.reserve('key', each.most),
                  running: true,
                  cost: each.most,
                  counted: each.most,
                })
              } else expect(() => opened.reserve('key', each.most)).toThrow(exceeded)
              break
            }
            case 'settle': {
              const running = sent.filter((request) => request.running)
              const request = running[each.which % Math.max(1, running.length)]
              if (!request) break
              const cost = (request.most * BigInt(each.share)) / 100n
              request.running = false
              request.cost = request.counted = request.reservation.settle(each.known ? cost : 'unknown')
              expect(request.cost).toBe(each.known ? cost : request.most)
              uncertain.push(request)
              break
            }
            case 'wait':
              clock.now += each.hours * 3_600_000
              break
            case 'flush':
              journal.flush()
              uncertain = []
              break
            case 'kill':
              journal.killed()
              opened = open()
              for (const request of sent.filter(({ running }) => running)) {
                request.running = false
                request.counted = request.most
              }
              sent.push(...overcounted(journal, sent, uncertain))
              uncertain = []
              break
          }
          for (const { at } of sent) expect(sum(at, 'cost') <= picoUsd).toBe(true)
          const { spent, reserved } = opened.money('key')
          expect(spent + reserved).toBe(sum(clock.now, 'counted'))
        }
      },
    ),
    { numRuns: 300 },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openKeyBudgets, type KeyBudgets, type Reservation } from '../../../src/core/payment/index.ts'
import { budgetPeriods, type KeyLimits } from '../../../src/shared/key-limits.ts'
import { MemoryJournal } from './memory-journal.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const DAY_MS = 86_400_000
const exceeded: unknown = expect.objectContaining({ code: 'budget/exceeded', status: 402 })
const unknownPrice: unknown = expect.objectContaining({ code: 'budget/price-unknown', status: 402 })

function budgets(limits: KeyLimits, journal = new MemoryJournal(), clock = { now: NOON }): { reserve: (most: bigint | 'unknown') => Reservation | null; journal: MemoryJournal; clock: { now: number }; limits: { now: KeyLimits } } {
  const current = { now: limits }
  const opened = openKeyBudgets({ journal, limitsOf: () => current.now, now: () => clock.now })
  return { reserve: (most) => opened.reserve('key', most), journal, clock, limits: current }
}

describe('a budget', () => {
  test('is used up by what requests can cost, and given back what they did not', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const first = reserve(60n)
    expect(() => reserve(41n)).toThrow(exceeded)
    const second = reserve(40n)
    expect(() => reserve(1n)).toThrow(exceeded)
    expect(first?.settle(25n)).toBe(25n)
    expect(() => reserve(36n)).toThrow(exceeded)
    const third = reserve(35n)
    expect(second?.settle('unknown')).toBe(40n)
    expect(third?.settle(0n)).toBe(0n)
    expect(() => reserve(36n)).toThrow(exceeded)
    expect(reserve(35n)).not.toBeNull()
  })

  test('is settled once for each request', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const request = reserve(100n)
    expect([request?.settle(30n), request?.settle(0n), request?.settle('unknown')]).toEqual([30n, 30n, 30n])
    expect(() => reserve(71n)).toThrow(exceeded)
    expect(reserve(70n)).not.toBeNull()
  })

  test('of nothing allows what can cost nothing, and no more', () => {
    const { reserve } = budgets({ budget: { picoUsd: 0n, period: 'total' } })
    expect(() => reserve(1n)).toThrow(exceeded)
    expect(reserve(0n)?.settle('unknown')).toBe(0n)
  })

  test('that is not there holds nothing and asks for no price', () => {
    const { reserve, journal } = budgets({})
    journal.refuses = true
    expect([reserve(1n), reserve('unknown')]).toEqual([null, null])
  })

  test('refuses what has no known most, unless the key may', () => {
    expect(() => budgets({ budget: { picoUsd: 100n, period: 'day' } }).reserve('unknown')).toThrow(unknownPrice)
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' }, allowUnpriced: true })
    expect(reserve('unknown')?.settle('unknown')).toBe(0n)
    expect(reserve('unknown')?.settle(101n)).toBe(101n)
    expect(() => reserve('unknown')).toThrow(exceeded)
    expect(() => reserve(1n)).toThrow(exceeded)
  })

  test('counts a cost above what was thought the most', () => {
    const { reserve } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    expect(reserve(10n)?.settle(95n)).toBe(95n)
    expect(() => reserve(6n)).toThrow(exceeded)
  })

  test('starts anew with the next period, in which a request of the last one does not count', () => {
    const { reserve, clock } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    const late = reserve(80n)
    clock.now += DAY_MS
    const next = reserve(100n)
    expect(late?.settle('unknown')).toBe(80n)
    next?.settle(0n)
    expect(reserve(100n)).not.toBeNull()
    clock.now -= DAY_MS
    expect(() => reserve(21n)).toThrow(exceeded)
  })

  test('holds from the next request on when it is changed, and knows what was spent before', () => {
    const { reserve, limits, clock } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    reserve(80n)?.settle(80n)
    limits.now = { budget: { picoUsd: 50n, period: 'day' } }
    expect(() => reserve(1n)).toThrow(exceeded)
    clock.now += DAY_MS
    limits.now = { budget: { picoUsd: 100n, period: 'week' } }
    expect(() => reserve(21n)).toThrow(exceeded)
    expect(reserve(20n)).not.toBeNull()
  })

  test('says what is left, and until when', () => {
    const { reserve } = budgets({ budget: { picoUsd: 2_000_000_000_000n, period: 'month' } })
    reserve(1_500_000_000_000n)
    expect(() => reserve(750_000_000_000n)).toThrow(/can cost \$0\.75, and \$0\.50 is left of \$2\.00 until 2026-12-01 \(UTC\)/)
  })

  test('holds nothing where the hold cannot be written', () => {
    const { reserve, journal } = budgets({ budget: { picoUsd: 100n, period: 'day' } })
    journal.refuses = true
    expect(() => reserve(100n)).toThrow('the disk refuses')
    journal.refuses = false
    expect(reserve(100n)).not.toBeNull()
  })
})

/** One request as the model sees it: what it did cost, or may, and what stands for it in the books. */
interface Sent { readonly at: number; readonly most: bigint; readonly reservation: Reservation; running: boolean; cost: bigint; counted: bigint }

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve' as const), most: fc.bigInt({ min: 0n, max: 60n }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(), share: fc.integer({ min: 0, max: 100 }), known: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
)

/** By the text of the date, not by the arithmetic that is tested. */
function sameDay(a: number, b: number): boolean {
  return new Date(a).toISOString().slice(0, 10) === new Date(b).toISOString().slice(0, 10)
}
function samePeriod(period: (typeof budgetPeriods)[number], a: number, b: number): boolean {
  if (period === 'total') return true
  if (period === 'month') return new Date(a).toISOString().slice(0, 7) === new Date(b).toISOString().slice(0, 7)
  if (period === 'day') return sameDay(a, b)
  const monday = (at: number) => at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS
  return sameDay(monday(a), monday(b))
}

test('no sequence of requests, ends, days and kills spends more than the budget of any period, or frees what was spent', () => {
  fc.assert(fc.property(fc.constantFrom(...budgetPeriods), fc.bigInt({ min: 0n, max: 150n }), fc.array(step, { maxLength: 60 }), (period, picoUsd, steps) => {
    const journal = new MemoryJournal()
    const clock = { now: NOON }
    const open = (): KeyBudgets => openKeyBudgets({ journal, limitsOf: () => ({ budget: { picoUsd, period } }), now: () => clock.now })
    let opened = open()
    const sent: Sent[] = []
    /** Ended since the last flush: a kill charges these at their most. */
    let uncertain: Sent[] = []
    const sum = (at: number, of: 'cost' | 'counted') => sent.filter((request) => samePeriod(period, request.at, at)).reduce((all, request) => all + request[of], 0n)

    for (const each of steps) {
      switch (each.kind) {
        case 'reserve': {
          const fits = each.most === 0n || sum(clock.now, 'counted') + each.most <= picoUsd
          if (fits) {
            const reservation = opened.reserve('key', each.most)
            expect(reservation).not.toBeNull()
            if (reservation) sent.push({ at: clock.now, most: each.most, reservation, running: true, cost: each.most, counted: each.most })
          } else expect(() => opened.reserve('key', each.most)).toThrow(exceeded)
          break
        }
        case 'settle': {
          const running = sent.filter((request) => request.running)
          const request = running[each.which % Math.max(1, running.length)]
          if (!request) break
          const cost = request.most * BigInt(each.share) / 100n
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
          for (const request of [...uncertain, ...sent.filter(({ running }) => running)]) {
            request.running = false
            request.counted = request.most
          }
          uncertain = []
          break
      }
      for (const { at } of sent) expect(sum(at, 'cost') <= picoUsd).toBe(true)
    }
  }), { numRuns: 500 })
})

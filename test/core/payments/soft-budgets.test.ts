import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedDays } from '../../../src/core/payments/budget-period.ts'
import { createKeyBudgets, type KeyBudgets, type Reservation } from '../../../src/core/payments/index.ts'
import { budgetPeriods, type BudgetIncrease, type KeyLimits } from '../../../src/shared/key-limits.ts'
import { Computer, computerSteps, DAY_MS, HOUR_MS } from './computer.ts'
import { MemoryJournal } from './memory-journal.ts'

const exceeded: unknown = expect.objectContaining({ code: 'budget/exceeded', status: 402 })

/** One key, whose limits and increase a test changes. */
class Key {
  readonly computer = new Computer()
  readonly journal = new MemoryJournal()
  readonly alerts: number[] = []
  increase: BudgetIncrease | undefined
  limits: KeyLimits
  budgets: KeyBudgets

  constructor(limits: KeyLimits) {
    this.limits = limits
    this.budgets = createKeyBudgets({
      journal: this.journal,
      limitsOf: () => this.limits,
      increaseOf: () => this.increase,
      clock: this.computer.clock,
      onAlert: (_, percent) => this.alerts.push(percent),
    })
  }
  reserve(most: bigint | 'unknown'): Reservation {
    return this.budgets.reserve('key', most)
  }
  spend(amount: bigint): void {
    this.reserve('unknown').settle(amount)
  }
  raise(picoUsd: bigint, hours: number): void {
    const { at, resetAt } = this.computer.clock.read()
    this.increase = { picoUsd, until: at + hours * HOUR_MS, clock: resetAt }
  }
  pass(hours: number): void {
    this.computer.apply({ kind: 'pass', ms: hours * HOUR_MS })
  }
}

describe('a soft budget', () => {
  const soft: KeyLimits = { budget: { picoUsd: 100n, period: 'day', soft: true } }

  test('refuses a request only once it’s spent, and needs no price', () => {
    const key = new Key(soft)
    const running = [key.reserve(5_000n), key.reserve('unknown'), key.reserve(99n)]
    expect(key.budgets.money('key')).toMatchObject({ spent: 0n, reserved: 0n })
    running[0]?.settle(99n)
    key.reserve('unknown')
    running[1]?.settle(1n)
    for (const most of ['unknown', 0n, 1n] as const) expect(() => key.reserve(most)).toThrow(exceeded)
    expect(() => key.budgets.requireLeft('key')).toThrow(exceeded)
    // A request that had passed is charged all the same.
    expect(running[2]?.settle(90n)).toBe(90n)
    expect(key.budgets.money('key')).toMatchObject({ spent: 190n, reserved: 0n })
    key.pass(24)
    expect(key.reserve('unknown')).not.toBeNull()
  })

  test('of zero refuses every request', () => {
    expect(() =>
      new Key({ budget: { picoUsd: 0n, period: 'total', soft: true } }).reserve('unknown'),
    ).toThrow(exceeded)
  })

  test('writes nothing before a request', () => {
    const key = new Key(soft)
    key.journal.refuses = true
    expect(key.reserve(50n).settle('unknown')).toBe(50n)
  })

  test('that becomes a hard one includes the maximum of running requests', () => {
    const key = new Key(soft)
    const running = key.reserve(60n)
    key.limits = { budget: { picoUsd: 100n, period: 'day' } }
    expect(() => key.reserve(41n)).toThrow(exceeded)
    running.settle(10n)
    expect(key.reserve(90n)).not.toBeNull()
  })

  test('reports when it resets', () => {
    const key = new Key(soft)
    key.spend(100n)
    expect(() => key.reserve(1n)).toThrow(/The budget of .* is used up\. It resets on 2026-10-25\./)
  })
})

describe('the alert of a budget', () => {
  test.each([true, undefined])(
    'is sent once in each period, when the spent amount reaches it (soft: %s)',
    (soft) => {
      const key = new Key({
        budget: { picoUsd: 100n, period: 'day', alertPercent: 80, ...(soft && { soft }) },
        allowUnpriced: true,
      })
      key.spend(79n)
      // A reservation spends nothing.
      key.reserve(20n).settle(0n)
      expect(key.alerts).toEqual([])
      key.spend(1n)
      key.spend(5n)
      expect(key.alerts).toEqual([80])
      key.pass(24)
      key.spend(79n)
      expect(key.alerts).toEqual([80])
      key.spend(30n)
      expect(key.alerts).toEqual([80, 80])
    },
  )

  test('uses the raised budget during an increase', () => {
    const key = new Key({ budget: { picoUsd: 100n, period: 'day', alertPercent: 80, soft: true } })
    key.raise(100n, 2)
    key.spend(159n)
    expect(key.alerts).toEqual([])
    key.spend(1n)
    expect(key.alerts).toEqual([80])
  })

  test('isn’t sent without a percentage', () => {
    const key = new Key({ budget: { picoUsd: 100n, period: 'day', soft: true } })
    key.spend(100n)
    expect(key.alerts).toEqual([])
  })
})

describe('a temporary increase', () => {
  const hard: KeyLimits = { budget: { picoUsd: 100n, period: 'month' } }

  test('adds to the budget until its end', () => {
    const key = new Key(hard)
    key.raise(50n, 2)
    expect(key.budgets.money('key').increase).toEqual(key.increase)
    key.reserve(150n).settle(120n)
    expect(() => key.reserve(31n)).toThrow(exceeded)
    key.pass(2)
    expect(key.budgets.money('key').increase).toBeUndefined()
    expect(() => key.reserve(1n)).toThrow(exceeded)
    expect(() => key.budgets.requireLeft('key')).toThrow(exceeded)
  })

  test('doesn’t return when the clock is set back, for an hour or permanently', () => {
    const key = new Key(hard)
    key.raise(50n, 2)
    key.pass(2)
    key.reserve(100n)
    key.computer.apply({ kind: 'set', ms: -2 * HOUR_MS })
    expect(() => key.reserve(1n)).toThrow(exceeded)
    // After a day behind, the clock of limits follows, and would be within the increase again.
    key.computer.apply({ kind: 'set', ms: -26 * HOUR_MS })
    key.budgets.money('key')
    key.computer.apply({ kind: 'pass', ms: DAY_MS })
    expect(key.computer.clock.read().at).toBeLessThan(key.increase?.until ?? 0)
    expect(() => key.reserve(1n)).toThrow(exceeded)
  })

  test('does nothing without a budget', () => {
    const key = new Key({})
    key.raise(50n, 2)
    expect(key.budgets.money('key')).toEqual({ spent: 0n, reserved: 0n })
  })
})

const keyIds = ['hard', 'soft', 'both'] as const
const keyId = fc.constantFrom(...keyIds)
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      key: keyId,
      most: fc.oneof(fc.bigInt({ min: 0n, max: 60n }), fc.constant('unknown' as const)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      share: fc.integer({ min: 0, max: 100 }),
      known: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('increase' as const),
      key: keyId,
      amount: fc.bigInt({ min: 0n, max: 80n }),
      hours: fc.integer({ min: 1, max: 720 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const) }) },
  ...computerSteps,
)

/** One request as the model sees it. A kill leaves only what the journal has of it. */
interface Sent {
  readonly key: string
  readonly day: number
  readonly most: bigint
  readonly reservation: Reservation | null
  running: boolean
  charged: bigint
}

test('for any requests, increases, clock changes and crashes, a hard budget is never exceeded, and a soft one refuses exactly when it’s spent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...budgetPeriods),
      fc.bigInt({ min: 0n, max: 150n }),
      fc.array(step, { maxLength: 80 }),
      (period, picoUsd, steps) => {
        const computer = new Computer()
        const journal = new MemoryJournal()
        const softNow = { hard: false, soft: true, both: false }
        const increases = new Map<string, BudgetIncrease>()
        /** Increases that were seen to have ended. */
        const ended = new Set<BudgetIncrease>()
        const open = (): KeyBudgets =>
          createKeyBudgets({
            journal,
            limitsOf: (key) => ({
              budget: {
                picoUsd,
                period,
                ...(softNow[key as keyof typeof softNow] && { soft: true as const }),
              },
            }),
            increaseOf: (key) => increases.get(key),
            clock: computer.clock,
          })
        let budgets = open()
        let sent: Sent[] = []
        const counted = (key: string, of: (request: Sent) => bigint) => {
          const { from, until } = countedDays(period, computer.clock.read())
          return sent
            .filter((request) => request.key === key && request.day >= from && request.day < until)
            .reduce((all, request) => all + of(request), 0n)
        }
        const spent = (key: string) => counted(key, ({ running, charged }) => (running ? 0n : charged))
        const committed = (key: string) =>
          counted(key, ({ running, most, charged }) => (running ? most : charged))
        const usable = (key: string) => {
          const increase = increases.get(key)
          if (!increase) return picoUsd
          const counts = budgets.money(key).increase !== undefined
          if (counts) expect(ended.has(increase) || computer.clock.read().at >= increase.until).toBe(false)
          else ended.add(increase)
          return picoUsd + (counts ? increase.picoUsd : 0n)
        }

        for (const each of steps) {
          switch (each.kind) {
            case 'reserve': {
              const { key, most } = each
              const reserve = () =>
                sent.push({
                  key,
                  day: computer.clock.read().day,
                  most: most === 'unknown' ? 0n : most,
                  reservation: budgets.reserve(key, most),
                  running: true,
                  charged: 0n,
                })
              const limit = usable(key)
              if (softNow[key]) {
                if (spent(key) >= limit) expect(reserve).toThrow(exceeded)
                else reserve()
              } else if (most === 'unknown')
                expect(reserve).toThrow(expect.objectContaining({ code: 'budget/price-unknown' }))
              else if (most > 0n && committed(key) + most > limit) expect(reserve).toThrow(exceeded)
              else {
                reserve()
                if (most > 0n) expect(committed(key) <= limit).toBe(true)
              }
              break
            }
            case 'settle': {
              const running = sent.filter((request) => request.running)
              const request = running[each.which % Math.max(1, running.length)]
              if (!request) break
              const cost = (request.most * BigInt(each.share)) / 100n
              request.running = false
              request.charged = request.reservation?.settle(each.known ? cost : 'unknown') ?? 0n
              expect(request.charged).toBe(each.known ? cost : request.most)
              break
            }
            case 'increase': {
              const { at, resetAt } = computer.clock.read()
              increases.set(each.key, {
                picoUsd: each.amount,
                until: at + each.hours * HOUR_MS,
                clock: resetAt,
              })
              break
            }
            case 'switch':
              softNow.both = !softNow.both
              break
            case 'restart':
            case 'kill': {
              // The mark of the clock is written once a minute.
              computer.apply({ kind: 'pass', ms: 60_000 })
              computer.clock.read()
              const before = committed('hard')
              if (each.kind === 'kill') journal.killed()
              else journal.flush()
              computer.apply(each)
              budgets = open()
              const runningBefore = each.kind === 'kill' ? before : spent('hard')
              sent = keyIds.flatMap((key) =>
                [...journal.spent(key)].map(([day, charged]) => ({
                  key,
                  day,
                  most: 0n,
                  reservation: null,
                  running: false,
                  charged,
                })),
              )
              // A kill frees nothing of a hard budget.
              expect(spent('hard') >= runningBefore).toBe(true)
              break
            }
            default:
              computer.apply(each)
          }
          for (const key of keyIds) expect(budgets.money(key).spent).toBe(spent(key))
          for (const key of keyIds) usable(key)
        }
      },
    ),
    { numRuns: 400 },
  )
})

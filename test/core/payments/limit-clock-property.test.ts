import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysOf } from '../../../src/core/payments/budget-period.ts'
import { createKeyBudgets, type KeyBudgets } from '../../../src/core/payments/index.ts'
import { spentInDay, total } from '../../../src/core/payments/spending-limits.ts'
import { budgetPeriods } from '../../../src/shared/key-limits.ts'
import { Computer, computerSteps, DAY_MS, HOUR_MS, zones } from './computer.ts'
import { MemoryJournal } from './memory-journal.ts'

const BUDGET = 100n

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('charge' as const), amount: fc.bigInt({ min: 1n, max: 60n }) }),
  },
  ...computerSteps,
)
test('what remains of a budget rises only when a later period begins, whatever clocks, zones and restarts do; and no period has two budgets', () => {
  fc.assert(
    fc.property(fc.constantFrom(...budgetPeriods), fc.array(step, { maxLength: 80 }), (period, steps) => {
      const computer = new Computer()
      const journal = new MemoryJournal()
      const open = (): KeyBudgets =>
        createKeyBudgets({
          journal,
          limitsOf: () => ({ budget: { picoUsd: BUDGET, period } }),
          clock: computer.clock,
        })
      let budgets = open()
      const state = () => {
        const { day, resetAt } = computer.clock.read()
        const { spent, reserved } = budgets.money('key')
        return { from: daysOf(period, day).from, left: BUDGET - spent - reserved, resetAt }
      }
      let before = state()
      /** The amount charged since the current period began; and in each period, since the clock was last set back. */
      let charged = 0n
      let byPeriod = new Map<number, bigint>()

      for (const each of steps) {
        if (each.kind === 'charge') {
          const { from, left } = before
          if (each.amount <= left) {
            budgets.reserve('key', each.amount).settle('unknown')
            charged += each.amount
            byPeriod.set(from, (byPeriod.get(from) ?? 0n) + each.amount)
          } else
            expect(() => budgets.reserve('key', each.amount)).toThrow(
              expect.objectContaining({ code: 'budget/exceeded' }),
            )
        } else {
          computer.apply(each)
          if (each.kind === 'kill') journal.killed()
          if (each.kind === 'restart') journal.flush()
          budgets = each.kind === 'kill' || each.kind === 'restart' ? open() : budgets
        }
        const after = state()
        if (after.from > before.from) charged = 0n
        else expect(after.left <= before.left).toBe(true)
        if (after.resetAt !== before.resetAt) byPeriod = new Map()
        expect(charged <= BUDGET && after.left <= BUDGET - charged).toBe(true)
        for (const sum of byPeriod.values()) expect(sum <= BUDGET).toBe(true)
        before = after
      }
    }),
    { numRuns: 400 },
  )
})

test('a payment counts for 24 hours of the clock of limits, whatever clocks and restarts do', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const computer = new Computer()
      const payments: {
        readonly host: string
        readonly amountMsat: bigint
        readonly feeMsat: bigint
        readonly at: number
        readonly settled: boolean
      }[] = []
      const journal = {
        open: () => [],
        reservedSince: (since: number) => payments.filter(({ at }) => at >= since),
      }
      const state = () => {
        const time = computer.clock.read()
        return { ...time, counted: total(spentInDay(journal, time)) }
      }
      let before = state()
      /** When each payment happened, measured by how far the clock of limits has advanced. */
      let gone = 0
      const charges: { readonly gone: number; readonly amount: bigint }[] = []

      for (const each of steps) {
        if (each.kind === 'charge') {
          payments.push({
            host: 'a',
            amountMsat: each.amount,
            feeMsat: 0n,
            at: computer.clock.saveTime().at,
            settled: true,
          })
          charges.push({ gone, amount: each.amount })
        } else computer.apply(each)
        const after = state()
        gone += Math.max(0, after.at - before.at)
        const sum = charges
          .filter((payment) => gone - payment.gone <= DAY_MS)
          .reduce((all, { amount }) => all + amount, 0n)
        expect(after.counted >= sum).toBe(true)
        if (after.at <= before.at) expect(after.counted >= before.counted).toBe(true)
        before = after
      }
    }),
    { numRuns: 400 },
  )
})

test('a wrong date in the far future holds no limit for longer than 24 measured hours and the period in which they end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('day', 'week', 'month'),
      fc.integer({ min: 40 * 24, max: 80 * 365 * 24 }),
      fc.constantFrom(...zones),
      (period, hoursAhead, zone) => {
        const computer = new Computer()
        computer.zone = zone
        computer.apply({ kind: 'restart' })
        const budgets = createKeyBudgets({
          journal: new MemoryJournal(),
          limitsOf: () => ({ budget: { picoUsd: BUDGET, period } }),
          clock: computer.clock,
        })
        budgets.money('key')
        computer.apply({ kind: 'set', ms: hoursAhead * HOUR_MS })
        budgets.reserve('key', BUDGET).settle(BUDGET)
        computer.apply({ kind: 'set', ms: -hoursAhead * HOUR_MS })
        for (let hour = 0; hour <= 24; hour += 1) {
          expect(() => budgets.reserve('key', 1n)).toThrow(
            expect.objectContaining({ code: 'budget/exceeded' }),
          )
          computer.apply({ kind: 'pass', ms: HOUR_MS })
        }
        computer.wall = budgets.money('key').renewsAt ?? NaN
        expect(budgets.money('key').spent).toBe(0n)
      },
    ),
    { numRuns: 100 },
  )
})

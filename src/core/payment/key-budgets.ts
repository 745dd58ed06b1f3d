import type { Budget, KeyLimits } from '../../shared/key-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import { say, type Said } from '../../shared/say.ts'
import { countedDays, dateOf, daysOf, type Days, type Today } from './budget-period.ts'
import type { LimitClock } from './limit-clock.ts'

/** Keeps what was spent, and what is held back for requests under way. The store fills it. */
export interface BudgetJournal {
  /** Pico-USD that this key was charged on each calendar day; local-day.ts numbers the days. */
  spent(keyId: string): Map<number, bigint>
  /**
   * `held`: all that is held of this day now, for every request of the key. Returns once that, and what was settled before,
   * outlives this process: the next one charges all of it, and up to as much again. Throws store/unwritable; nothing more
   * is then held.
   */
  hold(keyId: string, day: number, held: bigint): void
  /** What is held of a day and what it was charged so far: both together, or neither. Within 50 ms, with others. */
  settle(keyId: string, day: number, held: bigint, spent: bigint): void
}

/** What is held back for one request. */
export interface Reservation {
  /** The day that it's charged to; local-day.ts numbers the days. */
  readonly day: number
  /**
   * Ends it. Charged is the cost, or the most where the cost is not known; of an unpriced request, nothing is known then
   * and nothing is charged. Returns what was charged; again, without any effect, when called again.
   */
  settle(cost: bigint | 'unknown'): bigint
}

/** What one key's money comes to, in pico-USD. */
export interface KeyMoney {
  /** Charged in the period of its budget that is under way; in all, where it has no budget. */
  readonly spent: bigint
  /** Held back in that period for requests under way. */
  readonly held: bigint
  /** Unix ms: when the period starts anew. Absent where it never does. */
  readonly renewsAt?: number
}

export interface KeyBudgets {
  /**
   * Holds back the most that a request can cost, before it leaves. In the period in which it left a request is charged,
   * whenever it ends. Without a budget anything passes, and is counted nevertheless: a budget that is set later knows of it.
   * Throws budget/exceeded, budget/price-unknown, store/unwritable; nothing is then held.
   */
  reserve(keyId: string, most: bigint | 'unknown'): Reservation
  /** Throws budget/exceeded if nothing is left of the budget: only what costs nothing could pass. */
  requireLeft(keyId: string): void
  money(keyId: string): KeyMoney
  /**
   * Corrects what a day was charged. A day of a past period changes only that period's sum.
   * @param difference pico-USD, negative to lower the charge
   * @param save saves the day's new sum, together with the proof that it was corrected. If it throws, nothing changes
   */
  correct(keyId: string, day: number, difference: bigint, save: (spent: bigint) => void): void
}

export interface KeyBudgetsOptions {
  readonly journal: BudgetJournal
  readonly limitsOf: (keyId: string) => KeyLimits
  readonly clock: LimitClock
  /** Money of this key was held, or settled. */
  readonly onChange?: (keyId: string) => void
}

/**
 * Opens the budgets of local keys over a journal; money is in pico-USD. The invariant: what is charged and what is held, of one key in one period, is never above its budget by a request whose
 * most was known. Everything between the check and the hold is synchronous, so that requests at once cannot both pass.
 */
export function openKeyBudgets({ journal, limitsOf, clock, onChange }: KeyBudgetsOptions): KeyBudgets {
  const ledgers = new Map<string, Ledger>()
  const ledgerOf = (keyId: string): Ledger => {
    const known = ledgers.get(keyId) ?? new Ledger(journal.spent(keyId))
    ledgers.set(keyId, known)
    return known
  }

  return {
    reserve(keyId, most) {
      const { budget, allowUnpriced = false } = limitsOf(keyId)
      const today = clock.read()
      const { day } = today
      const ledger = ledgerOf(keyId)
      if (budget) requireCover(budget, allowUnpriced, most, ledger, today)
      const held = most === 'unknown' ? 0n : most
      // Only a budget has to outlive this process: its hold is written before the request leaves.
      if (budget && held > 0n) {
        // The day first: after a kill, a clock that was set back must not show an earlier day than the one that was charged.
        clock.saveDay()
        journal.hold(keyId, day, ledger.heldOn(day) + held)
      }
      ledger.hold(day, held)
      onChange?.(keyId)
      let charged: bigint | undefined
      return {
        day,
        settle(cost) {
          if (charged !== undefined) return charged
          charged = cost === 'unknown' ? held : cost
          const spent = ledger.settle(day, held, charged)
          if (held > 0n || charged > 0n) journal.settle(keyId, day, ledger.heldOn(day), spent)
          onChange?.(keyId)
          return charged
        },
      }
    },
    requireLeft(keyId) {
      const { budget } = limitsOf(keyId)
      // The same question as for a request of an unknown price that the key may have.
      if (budget) requireCover(budget, true, 'unknown', ledgerOf(keyId), clock.read())
    },
    money(keyId) {
      const period = limitsOf(keyId).budget?.period ?? 'total'
      const today = clock.read()
      const { until } = daysOf(period, today.day)
      return { ...ledgerOf(keyId).within(countedDays(period, today)), ...(Number.isFinite(until) && { renewsAt: clock.startOf(until) }) }
    },
    correct(keyId, day, difference, save) {
      const ledger = ledgerOf(keyId)
      const before = ledger.spentOn(day)
      // A day's sum is never negative, whatever a changed receipt claims.
      const spent = before + difference > 0n ? before + difference : 0n
      save(spent)
      ledger.settle(day, 0n, spent - before)
      onChange?.(keyId)
    },
  }
}

/** Throws budget/exceeded, budget/price-unknown. */
function requireCover(budget: Budget, allowUnpriced: boolean, most: bigint | 'unknown', ledger: Ledger, today: Today): void {
  if (most === 'unknown' && !allowUnpriced) throw new SottoError('budget/price-unknown')
  const left = budget.picoUsd - ledger.committed(countedDays(budget.period, today))
  // What can cost nothing can exceed nothing.
  if (most === 'unknown' ? left <= 0n : most > 0n && most > left) throw exceeded(most, left, budget.picoUsd, daysOf(budget.period, today.day))
}

/** One key's money by day, with the sum of the period that was last asked for: every request asks for the same one. */
class Ledger {
  readonly #spent: Map<number, bigint>
  readonly #held = new Map<number, bigint>()
  #period: Days = { from: 0, until: 0 }
  #committed = 0n

  constructor(spent: Map<number, bigint>) {
    this.#spent = spent
  }

  /** Charged and held within these days. */
  committed(period: Days): bigint {
    if (period.from === this.#period.from && period.until === this.#period.until) return this.#committed
    this.#period = period
    this.#committed = 0n
    for (const days of [this.#spent, this.#held]) for (const [day, amount] of days) this.#count(day, amount)
    return this.#committed
  }

  /** The two apart, which nobody asks for before each request. */
  within({ from, until }: Days): { spent: bigint; held: bigint } {
    const sum = (days: Map<number, bigint>): bigint => {
      let all = 0n
      for (const [day, amount] of days) if (day >= from && day < until) all += amount
      return all
    }
    return { spent: sum(this.#spent), held: sum(this.#held) }
  }

  spentOn(day: number): bigint {
    return this.#spent.get(day) ?? 0n
  }

  heldOn(day: number): bigint {
    return this.#held.get(day) ?? 0n
  }

  hold(day: number, amount: bigint): void {
    this.#held.set(day, this.heldOn(day) + amount)
    this.#count(day, amount)
  }

  /** What the day is charged by now. */
  settle(day: number, held: bigint, charged: bigint): bigint {
    const spent = this.spentOn(day) + charged
    this.#spent.set(day, spent)
    this.hold(day, -held)
    this.#count(day, charged)
    return spent
  }

  #count(day: number, amount: bigint): void {
    if (day >= this.#period.from && day < this.#period.until) this.#committed += amount
  }
}

function exceeded(most: bigint | 'unknown', left: bigint, budget: bigint, { until }: Days): SottoError {
  const whole = { usd: budget.toString() }
  return new SottoError('budget/exceeded', { detail: Number.isFinite(until) ? untilThen(dateOf(until)) : forGood() })

  function untilThen(date: string): Said {
    if (most === 'unknown') return say('The budget of {whole} is used up. It resets on {date}.', { whole, date })
    const cost = { usd: most.toString() }
    if (left <= 0n) return say('The request can cost up to {cost}. The budget of {whole} is used up. It resets on {date}.', { cost, whole, date })
    return say('The request can cost up to {cost}. {left} of {whole} remains until {date}.', { cost, left: { usd: left.toString(), round: 'down' }, whole, date })
  }
  function forGood(): Said {
    if (most === 'unknown') return say('The budget of {whole} is used up.', { whole })
    const cost = { usd: most.toString() }
    if (left <= 0n) return say('The request can cost up to {cost}. The budget of {whole} is used up.', { cost, whole })
    return say('The request can cost up to {cost}. {left} of {whole} remains.', { cost, left: { usd: left.toString(), round: 'down' }, whole })
  }
}

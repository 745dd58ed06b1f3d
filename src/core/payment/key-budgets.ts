import type { KeyLimits } from '../../shared/key-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import { formatUsd } from '../../shared/money.ts'
import { dateOf, dayOf, daysOf, type Days } from './budget-period.ts'

/** Keeps what was spent, and what is held back for requests under way. The store fills it. */
export interface BudgetJournal {
  /** Pico-USD that each day (UTC, since 1970-01-01) was charged, for this key. */
  spent(keyId: string): Map<number, bigint>
  /**
   * Returns once it outlives this process. Whatever is still held when a process has ended is charged at this most by the
   * next one. Throws store/unwritable; nothing is then held.
   */
  hold(keyId: string, day: number, most: bigint): number
  /** Ends a hold (null: there was none) and says what its day comes to now: both together, or neither. Within 50 ms, with others. */
  settle(hold: number | null, keyId: string, day: number, spentThatDay: bigint): void
}

/** What is held back for one request. */
export interface Reservation {
  /**
   * Ends it. Charged is the cost, or the most where the cost is not known; of an unpriced request, nothing is known then
   * and nothing is charged. Returns what was charged; again, without any effect, when called again.
   */
  settle(cost: bigint | 'unknown'): bigint
}

export interface KeyBudgets {
  /**
   * Holds back the most that a request can cost, before it leaves; null where the key has no budget. In the period in
   * which it left a request is charged, whenever it ends.
   * Throws budget/exceeded, budget/price-unknown, store/unwritable; nothing is then held.
   */
  reserve(keyId: string, most: bigint | 'unknown'): Reservation | null
}

export interface KeyBudgetsOptions {
  readonly journal: BudgetJournal
  readonly limitsOf: (keyId: string) => KeyLimits
  /** Unix ms. */
  readonly now: () => number
}

/**
 * The invariant: what is charged and what is held, of one key in one period, is never above its budget by a request whose
 * most was known. Everything between the check and the hold is synchronous, so that requests at once cannot both pass.
 */
export function openKeyBudgets({ journal, limitsOf, now }: KeyBudgetsOptions): KeyBudgets {
  const ledgers = new Map<string, Ledger>()
  const ledgerOf = (keyId: string): Ledger => {
    const known = ledgers.get(keyId) ?? new Ledger(journal.spent(keyId))
    ledgers.set(keyId, known)
    return known
  }

  return {
    reserve(keyId, most) {
      const { budget, allowUnpriced = false } = limitsOf(keyId)
      if (!budget) return null
      if (most === 'unknown' && !allowUnpriced) throw new SottoError('budget/price-unknown')
      const day = dayOf(now())
      const period = daysOf(budget.period, day)
      const ledger = ledgerOf(keyId)
      const left = budget.picoUsd - ledger.committed(period)
      // What can cost nothing can exceed nothing.
      if (most === 'unknown' ? left <= 0n : most > 0n && most > left) throw exceeded(most, left, budget.picoUsd, period)
      const held = most === 'unknown' ? 0n : most
      const hold = held > 0n ? journal.hold(keyId, day, held) : null
      ledger.hold(day, held)
      let charged: bigint | undefined
      return {
        settle(cost) {
          if (charged !== undefined) return charged
          charged = cost === 'unknown' ? held : cost
          const spentThatDay = ledger.settle(day, held, charged)
          if (hold !== null || charged > 0n) journal.settle(hold, keyId, day, spentThatDay)
          return charged
        },
      }
    },
  }
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

  hold(day: number, amount: bigint): void {
    this.#held.set(day, (this.#held.get(day) ?? 0n) + amount)
    this.#count(day, amount)
  }

  /** What the day is charged by now. */
  settle(day: number, held: bigint, charged: bigint): bigint {
    const spent = (this.#spent.get(day) ?? 0n) + charged
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
  const wants = most === 'unknown' ? 'Nothing' : `It can cost ${formatUsd(most.toString())}, and ${left > 0n ? formatUsd(left.toString()) : 'nothing'}`
  const renewed = Number.isFinite(until) ? ` until ${dateOf(until)} (UTC)` : ''
  return new SottoError('budget/exceeded', { detail: `${wants} is left of ${formatUsd(budget.toString())}${renewed}.` })
}

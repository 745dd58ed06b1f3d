import { reachedAlert, usableBudget } from '../../shared/budget-use.ts'
import type { BudgetIncrease, KeyLimits } from '../../shared/key-limits.ts'
import { requireCover, type Cover } from './budget-cover.ts'
import { countedDays, daysOf, type Days } from './budget-period.ts'
import type { LimitClock, LimitTime } from './limit-clock.ts'

/** Stores spent amounts, and the amounts reserved for requests in progress. The store implements it. */
export interface BudgetJournal {
  /** Returns the pico-USD that this key was charged on each calendar day; local-day.ts numbers the days. */
  spent(keyId: string): Map<number, bigint>
  /**
   * Saves the reserved amount of a day. Returns when that, and earlier settlements, survive this process. The
   * next process charges all of it.
   * @param reserved the sum that is now reserved on this day, for all requests of the key
   * @throws {SottoError} store/unwritable – then nothing more is reserved
   */
  hold(keyId: string, day: number, reserved: bigint): void
  /**
   * Saves the reserved amount of a day and the amount charged so far: both or neither. Writes within 50 ms,
   * together with others.
   */
  settle(keyId: string, day: number, reserved: bigint, spent: bigint): void
}

/** The reservation for one request. */
export interface Reservation {
  /** The day that it's charged to; local-day.ts numbers the days. */
  readonly day: number
  /**
   * Ends the reservation and returns the charged amount: the cost, or the most if the cost isn't known. An
   * unpriced request with an unknown cost is charged nothing. A second call returns the same and has no
   * effect.
   */
  settle(cost: bigint | 'unknown'): bigint
}

/** One key's amounts, in pico-USD. */
export interface KeyMoney {
  /** Charged in the current period of its budget; in total if it has no budget. */
  readonly spent: bigint
  /** Reserved in that period for running requests. 0n with a soft budget, which reserves nothing. */
  readonly reserved: bigint
  /** Only while it's in force. */
  readonly increase?: BudgetIncrease
  /** Unix ms of the period's end, when the budget resets. Absent if it never resets. */
  readonly renewsAt?: number
}

export interface KeyBudgets {
  /**
   * Reserves the most that a request can cost, before it's sent. A request is charged to the period in which
   * it was sent, whenever it ends. A soft budget refuses a request only if the spent amount has reached it.
   * Without a budget, every request passes. In both cases the possible cost of running requests is counted in
   * memory, so a hard budget that is set later includes it.
   * @throws {SottoError} budget/exceeded, budget/price-unknown, store/unwritable – then nothing is reserved
   */
  reserve(keyId: string, most: bigint | 'unknown'): Reservation
  /**
   * Requires money for a request that costs something.
   * @throws {SottoError} budget/exceeded – the budget is spent
   */
  requireLeft(keyId: string): void
  money(keyId: string): KeyMoney
  /**
   * Corrects the charge of a day. A day of a past period changes only that period's sum.
   * @param difference pico-USD, negative to lower the charge
   * @param save saves the day's new sum, together with the proof that it was corrected. If it throws, nothing
   * changes
   */
  correct(keyId: string, day: number, difference: bigint, save: (spent: bigint) => void): void
}

export interface KeyBudgetsOptions {
  readonly journal: BudgetJournal
  readonly limitsOf: (keyId: string) => KeyLimits
  /** The temporary increase of a key's budget, even if it has ended. */
  readonly increaseOf?: (keyId: string) => BudgetIncrease | undefined
  readonly clock: LimitClock
  /** Called when money of this key was reserved or settled. */
  readonly onChange?: (keyId: string) => void
  /**
   * Called when a charge makes the spent amount reach the alert of the key's budget. `percent` is that of the
   * alert.
   */
  readonly onAlert?: (keyId: string, percent: number) => void
}

/**
 * Creates the budgets of local keys for a journal; money is in pico-USD. The invariant of a hard budget: a
 * request whose most is known never brings the charged and reserved amounts of one key and period above its
 * budget. Everything between the check and the reservation is synchronous, so that parallel requests can't
 * both pass. A soft budget has no such invariant.
 */
export function createKeyBudgets({
  journal,
  limitsOf,
  increaseOf,
  clock,
  onChange,
  onAlert,
}: KeyBudgetsOptions): KeyBudgets {
  const ledgers = new Map<string, Ledger>()
  const ledgerOf = (keyId: string): Ledger => {
    const known = ledgers.get(keyId) ?? new Ledger(journal.spent(keyId))
    ledgers.set(keyId, known)
    return known
  }
  /** Returns the temporary increase in force. */
  const increaseAt = (keyId: string, now: LimitTime): BudgetIncrease | undefined => {
    const increase = increaseOf?.(keyId)
    return increase && now.at < increase.until && now.resetAt === increase.clock ? increase : undefined
  }
  /** Returns the key's budget with its increase, if it has one, and the amounts that count against it. */
  const coverOf = (
    keyId: string,
    { budget, allowUnpriced = false }: KeyLimits,
    now: LimitTime,
  ): Cover | undefined =>
    budget && {
      budget,
      allowUnpriced,
      usable: usableBudget({ budget, increase: increaseAt(keyId, now) }),
      ...ledgerOf(keyId).within(countedDays(budget.period, now)),
      today: now,
    }
  const alertOf = (keyId: string): number | undefined => {
    const { budget } = limitsOf(keyId)
    if (budget?.alertPercent === undefined) return undefined
    const now = clock.read()
    return reachedAlert({
      budget,
      increase: increaseAt(keyId, now),
      spent: ledgerOf(keyId).within(countedDays(budget.period, now)).spent,
    })
  }

  return {
    reserve(keyId, most) {
      const limits = limitsOf(keyId)
      const today = clock.read()
      const { day } = today
      const ledger = ledgerOf(keyId)
      const cover = coverOf(keyId, limits, today)
      if (cover) requireCover(cover, most)
      const reserved = most === 'unknown' ? 0n : most
      // Only a hard budget must survive this process, so its reservation is written before the request is
      // sent.
      if (cover && cover.budget.soft !== true && reserved > 0n) {
        // The day is written first: after a kill, a clock that was set back must not show an earlier day than
        // the charged one.
        clock.saveDay()
        journal.hold(keyId, day, ledger.reservedOn(day) + reserved)
      }
      ledger.hold(day, reserved)
      onChange?.(keyId)
      let charged: bigint | undefined
      return {
        day,
        settle(cost) {
          if (charged !== undefined) return charged
          charged = cost === 'unknown' ? reserved : cost
          const alerted = onAlert && alertOf(keyId)
          const spent = ledger.settle(day, reserved, charged)
          if (reserved > 0n || charged > 0n) journal.settle(keyId, day, ledger.reservedOn(day), spent)
          onChange?.(keyId)
          const alert = alerted === undefined ? onAlert && alertOf(keyId) : undefined
          if (alert !== undefined) onAlert?.(keyId, alert)
          return charged
        },
      }
    },
    requireLeft(keyId) {
      // The same check as for a permitted request of unknown price.
      const cover = coverOf(keyId, { ...limitsOf(keyId), allowUnpriced: true }, clock.read())
      if (cover) requireCover(cover, 'unknown')
    },
    money(keyId) {
      const { budget } = limitsOf(keyId)
      const period = budget?.period ?? 'total'
      const today = clock.read()
      const { until } = daysOf(period, today.day)
      const { spent, reserved } = ledgerOf(keyId).within(countedDays(period, today))
      const increase = budget && increaseAt(keyId, today)
      return {
        spent,
        reserved: budget?.soft ? 0n : reserved,
        ...(Number.isFinite(until) && { renewsAt: clock.startOf(until) }),
        ...(increase && { increase }),
      }
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

/**
 * One key's money by day, with cached sums of the last requested period, because every request needs the same
 * one.
 */
class Ledger {
  readonly #spent: Map<number, bigint>
  readonly #reserved = new Map<number, bigint>()
  #period: Days = { from: 0, until: 0 }
  #sums = { spent: 0n, reserved: 0n }

  constructor(spent: Map<number, bigint>) {
    this.#spent = spent
  }

  /** Returns the amounts charged and reserved on these days. */
  within(period: Days): { readonly spent: bigint; readonly reserved: bigint } {
    if (period.from === this.#period.from && period.until === this.#period.until) return this.#sums
    this.#period = period
    this.#sums = { spent: 0n, reserved: 0n }
    for (const [day, amount] of this.#spent) this.#count('spent', day, amount)
    for (const [day, amount] of this.#reserved) this.#count('reserved', day, amount)
    return this.#sums
  }

  spentOn(day: number): bigint {
    return this.#spent.get(day) ?? 0n
  }

  reservedOn(day: number): bigint {
    return this.#reserved.get(day) ?? 0n
  }

  hold(day: number, amount: bigint): void {
    this.#reserved.set(day, this.reservedOn(day) + amount)
    this.#count('reserved', day, amount)
  }

  /** Returns the amount that the day is charged now. */
  settle(day: number, reserved: bigint, charged: bigint): bigint {
    const spent = this.spentOn(day) + charged
    this.#spent.set(day, spent)
    this.hold(day, -reserved)
    this.#count('spent', day, charged)
    return spent
  }

  #count(kind: 'spent' | 'reserved', day: number, amount: bigint): void {
    if (day >= this.#period.from && day < this.#period.until)
      this.#sums = { ...this.#sums, [kind]: this.#sums[kind] + amount }
  }
}

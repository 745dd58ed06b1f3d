import { reachedAlert, usableBudget } from '../../shared/budget-use.ts'
import type { Budget, BudgetIncrease, KeyLimits } from '../../shared/key-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import { countedDays, dateOf, daysOf, type Days, type Today } from './budget-period.ts'
import type { LimitClock, LimitTime } from './limit-clock.ts'

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
  /** Held back in that period for running requests. 0n with a soft budget, which holds nothing back. */
  readonly held: bigint
  /** Only while it counts. */
  readonly increase?: BudgetIncrease
  /** Unix ms: when the period starts anew. Absent where it never does. */
  readonly renewsAt?: number
}

export interface KeyBudgets {
  /**
   * Holds back the most that a request can cost, before it leaves. A request is charged to the period in which it left,
   * whenever it ends. A soft budget refuses a request only if the spent amount has reached it. Without a budget, every
   * request passes. Both still count what running requests can cost in memory, so a hard budget that is set later includes it.
   * @throws {SottoError} budget/exceeded, budget/price-unknown, store/unwritable – nothing is then held
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
  /** The temporary increase of a key's budget, even if it has ended. */
  readonly increaseOf?: (keyId: string) => BudgetIncrease | undefined
  readonly clock: LimitClock
  /** Money of this key was held, or settled. */
  readonly onChange?: (keyId: string) => void
  /** A charge made the spent amount reach the alert of the key's budget. `percent` is that of the alert. */
  readonly onAlert?: (keyId: string, percent: number) => void
}

/**
 * Opens the budgets of local keys over a journal; money is in pico-USD. The invariant of a hard budget: a request whose most
 * is known never brings the charged and held amounts of one key and period above its budget. Everything between the check and
 * the hold is synchronous, so that parallel requests can't both pass. A soft budget has no such invariant.
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
  /** The temporary increase that counts now. */
  const increaseAt = (keyId: string, now: LimitTime): BudgetIncrease | undefined => {
    const increase = increaseOf?.(keyId)
    return increase && now.at < increase.until && now.resetAt === increase.clock ? increase : undefined
  }
  /** The key's budget with its increase, if it has one, and what counts against it. */
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
      const held = most === 'unknown' ? 0n : most
      // Only a hard budget has to outlive this process: its hold is written before the request leaves.
      if (cover && cover.budget.soft !== true && held > 0n) {
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
          const alerted = onAlert && alertOf(keyId)
          const spent = ledger.settle(day, held, charged)
          if (held > 0n || charged > 0n) journal.settle(keyId, day, ledger.heldOn(day), spent)
          onChange?.(keyId)
          const alert = alerted === undefined ? onAlert && alertOf(keyId) : undefined
          if (alert !== undefined) onAlert?.(keyId, alert)
          return charged
        },
      }
    },
    requireLeft(keyId) {
      // The same check as for a request of an unknown price that the key may make.
      const cover = coverOf(keyId, { ...limitsOf(keyId), allowUnpriced: true }, clock.read())
      if (cover) requireCover(cover, 'unknown')
    },
    money(keyId) {
      const { budget } = limitsOf(keyId)
      const period = budget?.period ?? 'total'
      const today = clock.read()
      const { until } = daysOf(period, today.day)
      const { spent, held } = ledgerOf(keyId).within(countedDays(period, today))
      const increase = budget && increaseAt(keyId, today)
      return {
        spent,
        held: budget?.soft ? 0n : held,
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

/** A budget, and the amounts of its current period that count against it. */
interface Cover {
  readonly budget: Budget
  readonly allowUnpriced: boolean
  /** With the temporary increase. */
  readonly usable: bigint
  readonly spent: bigint
  readonly held: bigint
  readonly today: Today
}

/** @throws {SottoError} budget/exceeded, budget/price-unknown */
function requireCover(
  { budget, allowUnpriced, usable, spent, held, today }: Cover,
  most: bigint | 'unknown',
): void {
  const days = daysOf(budget.period, today.day)
  if (budget.soft) {
    if (spent >= usable) throw exceeded('unknown', 0n, usable, days)
    return
  }
  if (most === 'unknown' && !allowUnpriced) throw new SottoError('budget/price-unknown')
  const left = usable - spent - held
  // What can cost nothing can exceed nothing.
  if (most === 'unknown' ? left <= 0n : most > 0n && most > left) throw exceeded(most, left, usable, days)
}

/** One key's money by day, with the sums of the period that was last asked for: every request asks for the same one. */
class Ledger {
  readonly #spent: Map<number, bigint>
  readonly #held = new Map<number, bigint>()
  #period: Days = { from: 0, until: 0 }
  #sums = { spent: 0n, held: 0n }

  constructor(spent: Map<number, bigint>) {
    this.#spent = spent
  }

  /** Charged and held within these days. */
  within(period: Days): { readonly spent: bigint; readonly held: bigint } {
    if (period.from === this.#period.from && period.until === this.#period.until) return this.#sums
    this.#period = period
    this.#sums = { spent: 0n, held: 0n }
    for (const [day, amount] of this.#spent) this.#count('spent', day, amount)
    for (const [day, amount] of this.#held) this.#count('held', day, amount)
    return this.#sums
  }

  spentOn(day: number): bigint {
    return this.#spent.get(day) ?? 0n
  }

  heldOn(day: number): bigint {
    return this.#held.get(day) ?? 0n
  }

  hold(day: number, amount: bigint): void {
    this.#held.set(day, this.heldOn(day) + amount)
    this.#count('held', day, amount)
  }

  /** What the day is charged by now. */
  settle(day: number, held: bigint, charged: bigint): bigint {
    const spent = this.spentOn(day) + charged
    this.#spent.set(day, spent)
    this.hold(day, -held)
    this.#count('spent', day, charged)
    return spent
  }

  #count(kind: 'spent' | 'held', day: number, amount: bigint): void {
    if (day >= this.#period.from && day < this.#period.until)
      this.#sums = { ...this.#sums, [kind]: this.#sums[kind] + amount }
  }
}

function exceeded(most: bigint | 'unknown', left: bigint, budget: bigint, { until }: Days): SottoError {
  const whole = { usd: budget.toString() }
  return new SottoError('budget/exceeded', {
    detail: Number.isFinite(until) ? untilThen(dateOf(until)) : forGood(),
  })

  function untilThen(date: string): LocalizedText {
    if (most === 'unknown')
      return msg('The budget of {whole} is used up. It resets on {date}.', { whole, date })
    const cost = { usd: most.toString() }
    if (left <= 0n)
      return msg(
        'The request can cost up to {cost}. The budget of {whole} is used up. It resets on {date}.',
        { cost, whole, date },
      )
    return msg('The request can cost up to {cost}. {left} of {whole} remains until {date}.', {
      cost,
      left: { usd: left.toString(), round: 'down' },
      whole,
      date,
    })
  }
  function forGood(): LocalizedText {
    if (most === 'unknown') return msg('The budget of {whole} is used up.', { whole })
    const cost = { usd: most.toString() }
    if (left <= 0n)
      return msg('The request can cost up to {cost}. The budget of {whole} is used up.', { cost, whole })
    return msg('The request can cost up to {cost}. {left} of {whole} remains.', {
      cost,
      left: { usd: left.toString(), round: 'down' },
      whole,
    })
  }
}

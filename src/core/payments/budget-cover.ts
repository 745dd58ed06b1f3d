import type { Budget } from '../../shared/key-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import { dateOf, daysOf, type Days, type Today } from './budget-period.ts'

/** A budget, and the amounts of its current period that count against it. */
export interface Cover {
  readonly budget: Budget
  readonly allowUnpriced: boolean
  /** The budget including its temporary increase. */
  readonly usable: bigint
  readonly spent: bigint
  readonly reserved: bigint
  readonly today: Today
}

/**
 * Requires that a budget covers a request. A hard budget covers the most that it can cost; a soft one covers every
 * request until the spent amount has reached it.
 * @param most pico-USD
 * @throws {SottoError} budget/exceeded, budget/price-unknown
 */
export function requireCover(
  { budget, allowUnpriced, usable, spent, reserved, today }: Cover,
  most: bigint | 'unknown',
): void {
  const days = daysOf(budget.period, today.day)
  if (budget.soft) {
    if (spent >= usable) throw exceeded('unknown', 0n, usable, days)
    return
  }
  if (most === 'unknown' && !allowUnpriced) throw new SottoError('budget/price-unknown')
  const left = usable - spent - reserved
  // A request that may be free can't exceed the budget.
  if (most === 'unknown' ? left <= 0n : most > 0n && most > left) throw exceeded(most, left, usable, days)
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

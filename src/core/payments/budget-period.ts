import type { BudgetPeriod } from '../../shared/key-limits.ts'

const DAY_MS = 86_400_000
/** Day 0 was a Thursday: the first Monday before it's day -3. */
const THURSDAY = 3

/** Calendar days, as local-day.ts numbers them; `until` is exclusive. */
export interface Days {
  readonly from: number
  readonly until: number
}

/** Today, and the day on which the clock of limits was last set back; see limit-clock.ts. */
export interface Today {
  readonly day: number
  readonly resetDay: number
}

/**
 * Returns the days of the period that contains a day: the date's own week or month, whatever the length of
 * its days.
 */
export function daysOf(period: BudgetPeriod, day: number): Days {
  switch (period) {
    case 'day':
      return { from: day, until: day + 1 }
    case 'week': {
      const monday = day - ((((day + THURSDAY) % 7) + 7) % 7)
      return { from: monday, until: monday + 7 }
    }
    case 'month': {
      const date = new Date(day * DAY_MS)
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
      return { from: Date.UTC(year, month, 1) / DAY_MS, until: Date.UTC(year, month + 1, 1) / DAY_MS }
    }
    case 'total':
      return { from: -Infinity, until: Infinity }
  }
}

/**
 * Returns the days whose charges count in the current period. Charges on later days are from before the clock
 * was last set back, so the period that contains that day includes them too. Setting the clock back therefore
 * frees no budget.
 */
export function countedDays(period: BudgetPeriod, { day, resetDay }: Today): Days {
  const { from, until } = daysOf(period, day)
  return { from, until: resetDay >= from && resetDay < until ? Infinity : until }
}

/** Formats a day as `2026-12-01`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

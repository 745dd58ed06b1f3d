import type { BudgetPeriod } from '../../shared/key-limits.ts'

const DAY_MS = 86_400_000
/** Day 0 was a Thursday: the first Monday before it is day -3. */
const THURSDAY = 3

/** Days of UTC since 1970-01-01; `until` is not within. */
export interface Days {
  readonly from: number
  readonly until: number
}

/** The day in which a moment (Unix ms) lies. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** The period that a day lies in. */
export function daysOf(period: BudgetPeriod, day: number): Days {
  switch (period) {
    case 'day': return { from: day, until: day + 1 }
    case 'week': {
      const monday = day - (((day + THURSDAY) % 7) + 7) % 7
      return { from: monday, until: monday + 7 }
    }
    case 'month': {
      const date = new Date(day * DAY_MS)
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
      return { from: dayOf(Date.UTC(year, month, 1)), until: dayOf(Date.UTC(year, month + 1, 1)) }
    }
    case 'total': return { from: -Infinity, until: Infinity }
  }
}

/** Unix ms. */
export function startOf(day: number): number {
  return day * DAY_MS
}

/** `2026-12-01`. */
export function dateOf(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10)
}

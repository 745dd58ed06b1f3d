import { describe, expect, test } from 'vitest'
import { countedDays, dateOf, daysOf } from '../../../src/core/payments/budget-period.ts'
import type { BudgetPeriod } from '../../../src/shared/key-limits.ts'

const day = (date: string) => Date.parse(date) / 86_400_000

describe('a period', () => {
  test.each<[BudgetPeriod, string, string, string]>([
    ['day', '2026-11-21', '2026-11-21', '2026-11-22'],
    ['day', '2026-11-22', '2026-11-22', '2026-11-23'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-23'],
    ['week', '2026-11-23', '2026-11-23', '2026-11-30'],
    ['week', '2027-01-01', '2026-12-28', '2027-01-04'],
    ['week', '1970-01-01', '1969-12-29', '1970-01-05'],
    ['week', '1969-12-28', '1969-12-22', '1969-12-29'],
    ['month', '2028-02-29', '2028-02-01', '2028-03-01'],
    ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
  ])('of a %s that the date %s is in', (period, date, from, until) => {
    const days = daysOf(period, day(date))
    expect([dateOf(days.from), dateOf(days.until)]).toEqual([from, until])
  })

  test('that never ends holds every day', () => {
    expect(daysOf('total', day('2026-11-21'))).toEqual({ from: -Infinity, until: Infinity })
  })

  test('counts its own days, and later ones only if the clock was set back within it', () => {
    const today = day('2026-11-21')
    expect(countedDays('day', { day: today, resetDay: today - 1 })).toEqual({ from: today, until: today + 1 })
    expect(countedDays('day', { day: today, resetDay: today })).toEqual({ from: today, until: Infinity })
    expect(countedDays('week', { day: today, resetDay: today - 1 })).toEqual({
      from: day('2026-11-16'),
      until: Infinity,
    })
    expect(countedDays('week', { day: today, resetDay: day('2026-11-15') })).toEqual({
      from: day('2026-11-16'),
      until: day('2026-11-23'),
    })
  })
})

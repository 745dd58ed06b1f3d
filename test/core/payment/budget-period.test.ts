import { describe, expect, test } from 'vitest'
import { dateOf, dayOf, daysOf } from '../../../src/core/payment/budget-period.ts'
import type { BudgetPeriod } from '../../../src/shared/key-limits.ts'

const day = (text: string) => dayOf(Date.parse(text))

describe('a period', () => {
  test.each<[BudgetPeriod, string, string, string]>([
    ['day', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22'],
    ['day', '2026-11-22T00:00:00Z', '2026-11-22', '2026-11-23'],
    ['week', '2026-11-22T23:59:59Z', '2026-11-16', '2026-11-23'],
    ['week', '2026-11-23T00:00:00Z', '2026-11-23', '2026-11-30'],
    ['week', '2027-01-01T12:00:00Z', '2026-12-28', '2027-01-04'],
    ['week', '1970-01-01T00:00:00Z', '1969-12-29', '1970-01-05'],
    ['week', '1969-12-28T00:00:00Z', '1969-12-22', '1969-12-29'],
    ['month', '2028-02-29T23:59:59Z', '2028-02-01', '2028-03-01'],
    ['month', '2026-12-31T00:00:00Z', '2026-12-01', '2027-01-01'],
  ])('of a %s, in UTC, that %s lies in', (period, at, from, until) => {
    const days = daysOf(period, day(at))
    expect([dateOf(days.from), dateOf(days.until)]).toEqual([from, until])
  })

  test('that never ends holds every day', () => {
    expect(daysOf('total', day('2026-11-21'))).toEqual({ from: -Infinity, until: Infinity })
  })
})

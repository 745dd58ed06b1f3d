import type { z } from 'zod'
import { daysOf } from '../core/payments/index.ts'
import type { BudgetPeriod } from '../shared/key-limits.ts'
import { amountSchema } from './ledger-operations.ts'

/** Amounts in the current day, week and month, and in total, in pico-USD. */
export type PeriodSums = Readonly<Record<BudgetPeriod, { readonly spent: bigint; reserved: bigint }>>

/**
 * Columns that sum `spent` and `reserved` over the rows of a group. The parameters $2, $3 and $4 are `firstDays`.
 * Charges of later days count in each period.
 */
export const SUMS = (
  [
    ['day', 'day >= $2'],
    ['week', 'day >= $3'],
    ['month', 'day >= $4'],
    ['total', 'true'],
  ] as const
)
  .map(
    ([period, days]) => `coalesce(sum(spent) FILTER (WHERE ${days}), 0) AS ${period}_spent,
      coalesce(sum(reserved) FILTER (WHERE ${days}), 0) AS ${period}_reserved`,
  )
  .join(', ')

/** Schemas of these columns. */
export const sumColumns = {
  day_spent: amountSchema,
  day_reserved: amountSchema,
  week_spent: amountSchema,
  week_reserved: amountSchema,
  month_spent: amountSchema,
  month_reserved: amountSchema,
  total_spent: amountSchema,
  total_reserved: amountSchema,
}
type SumRow = z.output<z.ZodObject<typeof sumColumns>>

/** @param day in days since 1970-01-01. @returns the first days of the day, week and month that contain it */
export function firstDays(day: number): [number, number, number] {
  return [day, daysOf('week', day).from, daysOf('month', day).from]
}

export function readSums(row: SumRow): PeriodSums {
  return {
    day: { spent: row.day_spent, reserved: row.day_reserved },
    week: { spent: row.week_spent, reserved: row.week_reserved },
    month: { spent: row.month_spent, reserved: row.month_reserved },
    total: { spent: row.total_spent, reserved: row.total_reserved },
  }
}

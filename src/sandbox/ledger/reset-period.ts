export const resetPeriods = ['daily', 'weekly', 'monthly'] as const
export type ResetPeriod = (typeof resetPeriods)[number]

/**
 * When a period that runs at `now` ends: the next midnight, Monday or first of a month, UTC.
 * @param now Unix ms
 */
export function periodEnd(period: ResetPeriod, now: number): number {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (period) {
    case 'daily':
      return Date.UTC(year, month, day + 1)
    // Sunday is 0: it is the last day of its week.
    case 'weekly':
      return Date.UTC(year, month, day + 7 - ((date.getUTCDay() + 6) % 7))
    case 'monthly':
      return Date.UTC(year, month + 1, 1)
  }
}

export function resetPeriodOf(text: string | null): ResetPeriod | null {
  return resetPeriods.find((period) => period === text) ?? null
}

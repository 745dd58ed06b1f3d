import type { Days } from '../../ui/day-range.ts'
import type { teamApi } from '../team-api.ts'

const DAY = 86_400_000

/** Which requests are shown. An empty ID means all. */
export interface ActivityChoice {
  readonly memberId: string
  readonly keyId: string
  readonly days: Days
}

export type ActivityFilter = Parameters<typeof teamApi.activity.export>[0]

/** The days as Unix ms, in UTC like the periods of budgets; the last day is included. A half-typed day counts as none. */
export function rangeOf({ from, until }: Days): Pick<ActivityFilter, 'from' | 'until'> {
  const [first, last] = [startOf(from), startOf(until)]
  return {
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { until: last + DAY }),
  }
}

/** A date without a time is the start of the day in UTC (ECMA-262, Date Time String Format). */
function startOf(day: string | undefined): number | undefined {
  const at = day === undefined ? Number.NaN : Date.parse(day)
  return Number.isNaN(at) ? undefined : at
}

export function filterOf({ memberId, keyId, days }: ActivityChoice): ActivityFilter {
  return {
    ...(memberId !== '' && { memberId }),
    ...(keyId !== '' && { keyId }),
    ...rangeOf(days),
  }
}

/** The name of the exported file, with the days of its requests. `today` in the form 2026-12-24. */
export function exportName({ from, until }: Days, today: string): string {
  return `sotto-team-activity-${from ?? 'all'}-${until ?? today}.csv`
}

import type { SpendingGroup } from '../../../shared/history.ts'
import { dayOf, type Days } from '../../ui/day-range.ts'
import { perLocale } from '../../ui/language/format-locale.ts'

const DAY = 86_400_000

/** The data of one column in the chart by day. */
export interface Column {
  /** First and last day of the column. */
  readonly from: string
  readonly until: string
  readonly cost: bigint
  readonly requests: number
  readonly unpriced: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The most columns that a person can tell apart. */
const MOST_COLUMNS = 62
const widths = [1, 7, 28, 91, 364] as const

/**
 * Every day from the first to the last, including days without a request. If there are more days than columns that a
 * person can tell apart, a column covers several days. Without a first day, the range begins with the first day that
 * has a request.
 */
export function columnsOf(
  groups: readonly SpendingGroup[],
  { from, until }: Days,
  now: number,
): readonly Column[] {
  const days = groups.filter(({ rest }) => rest !== true)
  const first = from ?? days[0]?.label
  if (first === undefined) return []
  const last = [until ?? dayOf(now), days.at(-1)?.label ?? ''].reduce((a, b) => (a > b ? a : b))
  const count = Math.max(1, Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1)
  const width = widths.find((each) => count / each <= MOST_COLUMNS) ?? Math.ceil(count / MOST_COLUMNS)
  const dayAt = (index: number): string => dayOf(Date.parse(first) + index * DAY)
  // Count from the end, so that the newest column is complete. Days aren't iterated, because a year that is being typed
  // begins with 0002.
  const byColumn = Map.groupBy(days, ({ label }) =>
    Math.floor((count - 1 - Math.round((Date.parse(label) - Date.parse(first)) / DAY)) / width),
  )
  const columns: Column[] = []
  for (let end = count - 1; end >= 0; end -= width)
    columns.unshift(
      sumOf(dayAt(Math.max(0, end - width + 1)), dayAt(end), byColumn.get(columns.length) ?? []),
    )
  return columns
}

function sumOf(from: string, until: string, groups: readonly SpendingGroup[]): Column {
  const sum = (of: (group: SpendingGroup) => number): number =>
    groups.reduce((total, group) => total + of(group), 0)
  return {
    from,
    until,
    cost: groups.reduce((total, { cost }) => total + BigInt(cost), 0n),
    requests: sum(({ requests }) => requests),
    unpriced: sum(({ unpriced }) => unpriced),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  }
}

const dayName = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const dayWithYear = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
)

/** "Nov 3", or "Nov 1 – 7, 2026". */
export function columnName({ from, until }: Pick<Column, 'from' | 'until'>, short = false): string {
  return (short ? dayName() : dayWithYear()).formatRange(Date.parse(from), Date.parse(until))
}

/** The length of a bar in thousandths of the longest bar. A positive value always gets a visible bar. */
export function shareOf(value: bigint, most: bigint): number {
  if (value <= 0n || most <= 0n) return 0
  return Math.max(8, Number((value * 1000n) / most))
}

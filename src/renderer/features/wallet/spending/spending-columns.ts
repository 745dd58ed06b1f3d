import type { SpendingSummary } from '../../../../shared/history.ts'
import { stackByModel, type ModelStacks } from '../../../ui/stack-by-model.ts'

const DAY_MS = 86_400_000
const DAYS = 30

export interface SpendingColumns extends Pick<ModelStacks, 'models' | 'others'> {
  /** From the first day with a request until today. Days are UTC. */
  readonly days: readonly { readonly day: string; readonly microUsd: readonly number[] }[]
}

/** The first of the days that the chart can show. @param now Unix ms */
export function firstDay(now: number): string {
  return dayOf(now - (DAYS - 1) * DAY_MS)
}

/**
 * Arranges the costs of the last days for a chart. The first day with a request is the first column.
 *
 * @param now Unix ms
 */
export function spendingColumns(
  { groups, dayModels }: Pick<SpendingSummary, 'groups' | 'dayModels'>,
  now: number,
): SpendingColumns {
  const [from, until] = [firstDay(now), dayOf(now)]
  const days = groups.day.filter(({ label, rest }) => rest !== true && label >= from && label <= until)
  const first = days.reduce((least, { label }) => (label < least ? label : least), until)
  const byDay = new Map(days.map(({ label, cost }) => [label, BigInt(cost)]))
  const columns = daysBetween(first, until).map((day) => ({
    from: day,
    until: day,
    cost: byDay.get(day) ?? 0n,
  }))
  const { microUsd, ...stacks } = stackByModel(columns, dayModels)
  return {
    ...stacks,
    days: columns.map((column, at) => ({ day: column.from, microUsd: microUsd[at] ?? [] })),
  }
}

function daysBetween(first: string, last: string): readonly string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(first) + index * DAY_MS))
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

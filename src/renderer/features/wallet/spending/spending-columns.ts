import type { SpendingSummary } from '../../../../shared/history.ts'

const DAY_MS = 86_400_000
const DAYS = 30
/** Models with a separate color. */
const MOST_MODELS = 3
/** Values of the chart are numbers, which pico-USD could be too large for. */
const PICO_PER_MICRO = 1_000_000n

export interface SpendingColumns {
  /** The costliest models of these days, the costliest first. */
  readonly models: readonly string[]
  /** Whether a last value holds the cost of all other models. */
  readonly others: boolean
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
  const shown = dayModels.filter(({ day, cost }) => byDay.has(day) && BigInt(cost) > 0n)
  const models = costliest(shown)
  const rows = daysBetween(first, until).map((day) => {
    const perModel = models.map((model) =>
      shown
        .filter((each) => each.day === day && each.model === model)
        .reduce((sum, { cost }) => sum + BigInt(cost), 0n),
    )
    const rest = (byDay.get(day) ?? 0n) - perModel.reduce((sum, cost) => sum + cost, 0n)
    return { day, costs: [...perModel, rest > 0n ? rest : 0n] }
  })
  const others = rows.some(({ costs }) => (costs.at(-1) ?? 0n) > 0n)
  return {
    models,
    others,
    days: rows.map(({ day, costs }) => ({
      day,
      microUsd: (others ? costs : costs.slice(0, -1)).map((cost) => Number(cost / PICO_PER_MICRO)),
    })),
  }
}

function costliest(costs: SpendingSummary['dayModels']): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { model, cost } of costs) sums.set(model, (sums.get(model) ?? 0n) + BigInt(cost))
  return [...sums]
    .sort(([a, costOfA], [b, costOfB]) =>
      costOfA === costOfB ? (a < b ? -1 : 1) : costOfA > costOfB ? -1 : 1,
    )
    .slice(0, MOST_MODELS)
    .map(([model]) => model)
}

function daysBetween(first: string, last: string): readonly string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(first) + index * DAY_MS))
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

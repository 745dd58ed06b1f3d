import type { SpendingSummary } from '../../shared/history.ts'
import { formatRecordedUsd, formatUsd } from './format/money.ts'

/** Models with a separate color. */
const MOST_MODELS = 3
/** Values of the chart are numbers, which pico-USD could be too large for. */
const PICO_PER_MICRO = 1_000_000n

export interface ModelStacks {
  /** The costliest models of these columns, the costliest first. */
  readonly models: readonly string[]
  /** Whether the last value of each column holds the cost of all other models. */
  readonly others: boolean
  /** In the order of the columns. */
  readonly microUsd: readonly (readonly number[])[]
}

/**
 * Splits the cost of each column of a chart by model.
 *
 * @param columns first and last day of each, and its whole cost in pico-USD
 */
export function stackByModel(
  columns: readonly { readonly from: string; readonly until: string; readonly cost: bigint }[],
  dayModels: SpendingSummary['dayModels'],
): ModelStacks {
  const costs = dayModels.flatMap(({ day, model, cost }) => {
    const at = columns.findIndex(({ from, until }) => from <= day && day <= until)
    return at < 0 || BigInt(cost) <= 0n ? [] : [{ at, model, cost: BigInt(cost) }]
  })
  const models = costliest(costs)
  const rows = columns.map((column, at) => {
    const perModel = models.map((model) =>
      sumOf(costs.filter((each) => each.at === at && each.model === model)),
    )
    const rest = perModel.reduce((left, cost) => left - cost, column.cost)
    return [...perModel, rest > 0n ? rest : 0n]
  })
  const others = rows.some((row) => (row.at(-1) ?? 0n) > 0n)
  return {
    models,
    others,
    microUsd: rows.map((row) =>
      (others ? row : row.slice(0, -1)).map((cost) => Number(cost / PICO_PER_MICRO)),
    ),
  }
}

/** @param grid for a grid line */
export function formatMicroUsd(microUsd: number, grid = false): string {
  const pico = String(BigInt(Math.round(microUsd)) * PICO_PER_MICRO)
  return grid ? formatUsd(pico, { style: 'price' }) : formatRecordedUsd(pico)
}

function costliest(costs: readonly { readonly model: string; readonly cost: bigint }[]): readonly string[] {
  return [...Map.groupBy(costs, ({ model }) => model)]
    .map(([model, members]) => ({ model, cost: sumOf(members) }))
    .toSorted((a, b) => (a.cost === b.cost ? (a.model < b.model ? -1 : 1) : a.cost > b.cost ? -1 : 1))
    .slice(0, MOST_MODELS)
    .map(({ model }) => model)
}

function sumOf(costs: readonly { readonly cost: bigint }[]): bigint {
  return costs.reduce((sum, { cost }) => sum + cost, 0n)
}

export interface ChartColumn {
  readonly id: string
  /** For the tooltip and screen readers, such as "Nov 8, 2026". */
  readonly name: string
  /** For the axis, such as "Nov 8". */
  readonly axis: string
  /** One value per series, from the base line upwards. None is negative. */
  readonly values: readonly number[]
  /** More about it, for the tooltip and screen readers, such as "2 requests". */
  readonly note?: string
}

/** How many grid lines a chart has above its base line. */
const GRID_LINES = 3
const STEPS = [1, 2, 2.5, 5, 10] as const

/**
 * Chooses round values for the grid lines of a chart.
 *
 * @param most the highest value of the chart, in any unit
 * @returns the values from the base line, which is 0, to the top, which is at least `most`
 */
export function gridValues(most: number): readonly number[] {
  const least = Math.max(most, 0) / GRID_LINES
  const unit = least > 0 ? 10 ** Math.floor(Math.log10(least)) : 1
  const step = unit * (STEPS.find((each) => each * unit >= least) ?? 10)
  return Array.from({ length: GRID_LINES + 1 }, (_, index) => index * step)
}

/** The indexes of the columns that have a label: the first one, and then every seventh. */
export function hasAxisLabel(index: number): boolean {
  return index % 7 === 0
}

/** The height of a column, in the unit of its values. */
export function totalOf({ values }: Pick<ChartColumn, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0)
}

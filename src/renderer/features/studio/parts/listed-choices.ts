import type { Model } from '../../../../shared/model.ts'
import type { PriceTable } from '../../../../shared/price-table.ts'

export type Dimension = 'quality' | 'size' | 'resolution' | 'duration'

/**
 * The values of a parameter that the listing has prices for, in listing order. The model is known to accept
 * them. Empty if the listing has no price for any value.
 */
export function listedChoices(
  model: Pick<Model, 'mediaPrice'> | undefined,
  dimension: Dimension,
): readonly string[] {
  const found = new Set<string>()
  for (const table of model?.mediaPrice?.tables ?? []) collect(table, dimension, found)
  return [...found]
}

function collect(table: PriceTable, dimension: Dimension, found: Set<string>): void {
  if (typeof table === 'string') return
  for (const [value, inner] of Object.entries(table.of)) {
    if ((table.by ?? dimensionOf(value)) === dimension) found.add(value)
    collect(inner, dimension, found)
  }
}

/** If the listing doesn't report the dimension of its values, their format decides. */
function dimensionOf(value: string): Dimension {
  if (/^\d+(?:\.\d+)?s?$/.test(value)) return 'duration'
  if (/^\d+[x:]\d+$/.test(value) || /^(?:square|portrait|landscape)$/.test(value)) return 'size'
  return 'quality'
}

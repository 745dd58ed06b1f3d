import type { Model } from '../../../../shared/model.ts'
import type { PriceTable } from '../../../../shared/price-table.ts'

export type Dimension = 'quality' | 'size' | 'resolution' | 'duration'

/** The values of a parameter that the listing has prices for, in its order: what the model is known to take. Empty where it says nothing of it. */
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

/** Where the listing does not say what its values are of: by how they look. */
function dimensionOf(value: string): Dimension {
  if (/^\d+(?:\.\d+)?s?$/.test(value)) return 'duration'
  if (/^\d+[x:]\d+$/.test(value) || /^(?:square|portrait|landscape)$/.test(value)) return 'size'
  return 'quality'
}

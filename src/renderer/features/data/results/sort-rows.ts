import { cellText } from './cell-text.ts'
import { cellAt, type Column } from './flatten.ts'

export type Direction = 'ascending' | 'descending'

export interface Sorting {
  readonly column: Column
  readonly direction: Direction
}

/** The number of characters of a cell that determine the order of its row. */
const COMPARED = 200

/**
 * The order of the rows. Numbers sort by value and precede texts, and texts sort by the language's rules.
 * Rows without a cell come last in both directions. Equal rows keep their order.
 */
export function orderOf(
  rows: readonly unknown[],
  { column, direction }: Sorting,
  compareTexts: (a: string, b: string) => number,
): Uint32Array {
  const order = Uint32Array.from(rows, (_, index) => index)
  const keys = rows.map((row) => keyOf(cellAt(row, column.path)))
  const sign = direction === 'ascending' ? 1 : -1
  return order.sort((a, b) => {
    const [first, second] = [keys[a], keys[b]]
    if (first === undefined || second === undefined)
      return first === second ? a - b : first === undefined ? 1 : -1
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second) || a - b
    if (typeof first === 'number') return -sign
    if (typeof second === 'number') return sign
    return sign * compareTexts(first, second) || a - b
  })
}

function keyOf(value: unknown): number | string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number') return value
  return cellText(value, COMPARED)
}

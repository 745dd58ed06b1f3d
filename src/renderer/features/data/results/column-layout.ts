import { cellText } from './cell-text.ts'
import { cellAt, type Column } from './flatten.ts'

const SAMPLE = 120
const LETTER = 7.4
const PADDING = 26
const LEAST = 72
const MOST = 320

/** The position of a column, in pixels from the start. */
export interface Placed {
  readonly start: number
  readonly width: number
}

export function widthFor(name: string, texts: readonly string[]): number {
  // The width fits most cells; the few long ones are cut off.
  const lengths = texts.map((text) => text.length).toSorted((a, b) => a - b)
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0
  return Math.round(
    Math.min(MOST, Math.max(LEAST, Math.max(usual, Math.min(name.length + 3, 28)) * LETTER + PADDING)),
  )
}

/** The widths that the first rows need. */
export function widthsOf(
  rows: readonly unknown[],
  columns: readonly Column[],
  nameOf: (column: Column) => string,
): readonly number[] {
  const sample = rows.slice(0, SAMPLE)
  return columns.map((column) =>
    widthFor(
      nameOf(column),
      sample.map((row) => cellText(cellAt(row, column.path), 60)),
    ),
  )
}

export function placed(widths: readonly number[]): readonly Placed[] {
  let start = 0
  return widths.map((width) => {
    const place = { start, width }
    start += width
    return place
  })
}

/** The columns from `left` over `width` pixels, and one more on each side: from `first` to before `end`. */
export function columnsIn(
  places: readonly Placed[],
  left: number,
  width: number,
): { readonly first: number; readonly end: number } {
  let first = 0
  while (first < places.length - 1 && ends(places[first]) <= left) first += 1
  let end = first
  while (end < places.length && (places[end]?.start ?? 0) < left + width) end += 1
  return { first: Math.max(0, first - 1), end: Math.min(places.length, end + 1) }
}

function ends(place: Placed | undefined): number {
  return place === undefined ? 0 : place.start + place.width
}

import { cellText } from './cell-text.ts'
import { cellAt, type Column } from './flatten.ts'

/** Characters that spreadsheets treat as the beginning of a formula, in full width too. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/
/** Spreadsheets read such a text as a number. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
/** Far above the maximum cell length of spreadsheets. */
const MAX_CELL = 1_000_000
const ROWS_IN_PIECE = 2000

/**
 * The service controls names and texts. An apostrophe makes them text, as the usual advice against formula
 * injection recommends.
 */
export function csvCell(value: unknown): string {
  const text = cellText(value, MAX_CELL)
  const safe = typeof value !== 'number' && FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** RFC 4180, in pieces for a Blob. `order`: the rows to include, in their order. */
export function csvText(
  rows: readonly unknown[],
  columns: readonly Column[],
  order: Iterable<number>,
  wholeCell: string,
): string[] {
  const pieces = [`${columns.map(({ name }) => csvCell(name === '' ? wholeCell : name)).join(',')}\r\n`]
  let lines: string[] = []
  for (const index of order) {
    lines.push(`${columns.map(({ path }) => csvCell(cellAt(rows[index], path))).join(',')}\r\n`)
    if (lines.length < ROWS_IN_PIECE) continue
    pieces.push(lines.join(''))
    lines = []
  }
  if (lines.length > 0) pieces.push(lines.join(''))
  return pieces
}

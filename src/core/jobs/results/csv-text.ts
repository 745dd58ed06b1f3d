/**
 * Text that a spreadsheet interprets as a formula, also after characters that some of them skip: spaces,
 * controls, a byte order mark. A number isn't a formula.
 */
const FORMULA = /^[\p{C}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/**
 * One row of CSV (RFC 4180). A service or a file from outside controls the cells, so a cell that looks like
 * a formula is written as text (owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: string): string {
  const safe = FORMULA.test(cell) && !NUMBER.test(cell.trim()) ? `'${cell}` : cell
  return /[",\r\n;\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Text that a spreadsheet interprets as a formula, also after characters that some of them skip: spaces,
 * controls, a byte order mark. A number isn't a formula.
 */
const FORMULA = /^[\p{C}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** A semicolon and a tab separate cells in some countries' spreadsheets. */
const NEEDS_QUOTES = /[",\r\n;\t]/

/**
 * Writes one row of CSV (RFC 4180). A service, a file or a person from outside controls the cells, so a cell that looks like
 * a formula is written as text.
 * @param cells text without escapes
 * @returns the row with CRLF
 * @see owasp.org/www-community/attacks/CSV_Injection
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: string): string {
  const isFormula = FORMULA.test(cell) && !NUMBER.test(cell.trim())
  const text = isFormula ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

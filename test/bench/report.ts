/** One line of the result. */
export interface Row {
  readonly what: string
  /** Null if it couldn't be measured; `note` then has the reason. */
  readonly value: number | null
  readonly unit: string
  /** The divisor of the value, with its description, in the same unit. */
  readonly against?: { readonly what: string; readonly value: number }
  readonly aim?: { readonly says: string; readonly met: boolean }
  readonly note?: string
}

export const atMost = (value: number, limit: number, unit: string) => ({
  says: `≤ ${String(limit)} ${unit}`,
  met: value <= limit,
})
export const atLeast = (value: number, limit: number, unit: string) => ({
  says: `≥ ${String(limit)} ${unit}`,
  met: value >= limit,
})

export function notMeasured(what: string, unit: string, why: string): Row {
  return { what, value: null, unit, note: why }
}

export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.what,
    row.value === null ? 'not measured' : `${number(row.value)} ${row.unit}`,
    row.against && row.value !== null
      ? `${number(row.value / row.against.value)} × ${row.against.what} (${number(row.against.value)})`
      : '',
    row.aim?.says ?? '',
    row.aim ? (row.aim.met ? 'yes' : 'NO') : '',
    row.note ?? '',
  ])
  const head = [title, 'measured', 'ratio', 'aim', 'met', '']
  const widths = head.map((_, column) =>
    Math.max(...[head, ...cells].map((line) => (line[column] ?? '').length)),
  )
  for (const line of [head, widths.map((width, column) => (column < 5 ? '-'.repeat(width) : '')), ...cells]) {
    console.log(
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
  console.log()
}

function number(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3
  return value.toFixed(digits)
}

/** Decimal units, because the service's limits are in them: a file of 25.4 MB is larger than 25 MB. */
const KB = 1000
const MB = KB * KB

/** A number of bytes in the unit that it is shown in. `amount` is decimal text, with one decimal place unless the unit is B. */
export interface ByteSize {
  readonly amount: string
  readonly unit: 'B' | 'kB' | 'MB'
}

/** Scales a number of bytes to the unit that it is shown in: 1536 -> 1.5 kB. */
export function scaleBytes(bytes: number): ByteSize {
  if (bytes < KB) return { amount: String(bytes), unit: 'B' }
  return bytes < MB
    ? { amount: (bytes / KB).toFixed(1), unit: 'kB' }
    : { amount: (bytes / MB).toFixed(1), unit: 'MB' }
}

/** Formats a number of bytes in English: "1.5 kB". */
export function formatBytes(bytes: number): string {
  const { amount, unit } = scaleBytes(bytes)
  return unit === 'B'
    ? `${amount} B`
    : `${Number(amount).toLocaleString('en-US', { minimumFractionDigits: 1 })} ${unit}`
}

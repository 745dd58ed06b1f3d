const KIB = 1024
const MIB = KIB * KIB

/** A number of bytes in the unit that it is shown in. `amount` is decimal text, with one decimal place unless the unit is B. */
export interface ByteSize {
  readonly amount: string
  readonly unit: 'B' | 'KiB' | 'MiB'
}

/** Scales a number of bytes to the unit that it is shown in: 1536 -> 1.5 KiB. */
export function scaleBytes(bytes: number): ByteSize {
  if (bytes < KIB) return { amount: String(bytes), unit: 'B' }
  return bytes < MIB
    ? { amount: (bytes / KIB).toFixed(1), unit: 'KiB' }
    : { amount: (bytes / MIB).toFixed(1), unit: 'MiB' }
}

/** Formats a number of bytes in English: "1.5 KiB". */
export function formatBytes(bytes: number): string {
  const { amount, unit } = scaleBytes(bytes)
  return unit === 'B'
    ? `${amount} B`
    : `${Number(amount).toLocaleString('en-US', { minimumFractionDigits: 1 })} ${unit}`
}

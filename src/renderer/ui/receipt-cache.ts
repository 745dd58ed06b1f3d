import type { Receipt } from '../../shared/receipt.ts'

type Receipts = Readonly<Record<string, Receipt>>

/** More than any screen shows. */
export const MAX_CACHED_RECEIPTS = 300

/** Adds receipts by ID. The number in memory is limited: the oldest entries are removed. */
export function withReceipts(receipts: Receipts, came: readonly Receipt[]): Receipts {
  const now = new Set(came.map(({ id }) => id))
  const all = [...Object.values(receipts).filter(({ id }) => !now.has(id)), ...came]
  return Object.fromEntries(all.slice(-MAX_CACHED_RECEIPTS).map((receipt) => [receipt.id, receipt]))
}

/** Without those of these ids. */
export function withoutReceipts(receipts: Receipts, gone: ReadonlySet<string>): Receipts {
  return Object.fromEntries(Object.entries(receipts).filter(([id]) => !gone.has(id)))
}

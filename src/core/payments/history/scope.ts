import type { HistoryFilter } from '../../../shared/history.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { spanOfDays, type Scope } from './join-receipts.ts'
import type { OwnKeys } from './own-keys.ts'
import type { Place } from './place.ts'
import { billedAs } from './receipt-match.ts'

/**
 * Selects the receipts between two places of a list: those of this account that pass its filter. Each moment
 * is in exactly one part of the list. A moment before the last record that was read is in none.
 * @param after null at the end of the list
 * @param keyNames all of the account's keys, by ID; if they are unknown, it's empty and only the key in use
 * counts
 * @returns null for a filter by something that receipts don't state
 */
export function scopeOf(
  { source, type, model, keyId, ...days }: HistoryFilter,
  before: Place,
  after: Place | null,
  keys: OwnKeys,
  keyNames: ReadonlyMap<string, string>,
): Scope | null {
  if (source !== undefined || type !== undefined) return null
  const range = spanOfDays(days)
  return {
    span: {
      from: after ? Math.max(range.from, after.before) : range.from,
      until: Math.min(range.until, before.before - 1),
    },
    wanted: (receipt: Receipt) => {
      const { serviceKey } = receipt
      if (serviceKey === undefined) return false
      const id = keys.ids.get(serviceKey)
      const ofAccount = serviceKey === keys.mark || (id !== undefined && keyNames.has(id))
      return (
        ofAccount &&
        (keyId === undefined || id === keyId) &&
        (model === undefined || billedAs(receipt, model))
      )
    },
  }
}

import type { Receipt } from '../../../shared/receipt.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import { couldBe, LONGEST_MS, match, type Surroundings } from './receipt-match.ts'

/** The service may record a request this long after its end. Until then, a missing record proves nothing. */
export const RECORDED_WITHIN_MS = 10 * 60_000

/** Both sides of a period. */
export interface Sides {
  /** All receipts of this computer that could belong to a record in that period. */
  readonly receipts: readonly Receipt[]
  readonly keyIds: ReadonlyMap<string, string>
  readonly surroundings: Surroundings
}

/**
 * `joined`: exactly one record matches. `missing`: no record can belong to it. `unclear`: one of the `free`
 * records may belong to it. `unknown`: not all records of its time are known.
 */
export type Relation =
  | { readonly kind: 'joined'; readonly record: QueryRecord }
  | { readonly kind: 'unclear'; readonly free: readonly QueryRecord[] }
  | { readonly kind: 'missing' | 'unknown' }

/** Compares a receipt with the service's records. A record that belongs to another receipt isn't free. */
export function relationOf(receipt: Receipt, { receipts, keyIds, surroundings }: Sides): Relation {
  const possible = surroundings(receipt)?.filter((record) => couldBe(record, receipt, keyIds))
  if (!possible) return { kind: 'unknown' }
  const owners = match(possible, receipts, keyIds, surroundings)
  const ownRecord = possible[owners.findIndex((owner) => owner?.id === receipt.id)]
  if (ownRecord) return { kind: 'joined', record: ownRecord }
  const free = possible.filter((_, index) => !owners[index])
  return free.length > 0 ? { kind: 'unclear', free } : { kind: 'missing' }
}

/** Whether the service must have recorded it by now. */
export function isRecordedBy({ at, durationMs = LONGEST_MS }: Receipt, now: number): boolean {
  return at + durationMs + RECORDED_WITHIN_MS <= now
}

/** The record that confirms a doubted cost, with that cost. */
export interface Confirmation {
  readonly receipt: Receipt
  readonly record: QueryRecord & { readonly cost: bigint }
}

/**
 * Returns the records that confirm doubted costs. The counts that led to the doubt may be wrong, so they
 * aren't used: the record must be the only free one of its key and model within the receipt's time, and must
 * not be able to belong to another receipt. A record with exactly the same token counts also confirms. If
 * anything is ambiguous, nothing is confirmed.
 */
export function confirmations(sides: Sides, now: number): Confirmation[] {
  return sides.receipts.flatMap((receipt) => {
    if (receipt.costDoubted !== true) return []
    const record = recordOf(receipt, sides, now)
    return record?.cost !== undefined && record.cost >= 0n
      ? [{ receipt, record: { ...record, cost: record.cost } }]
      : []
  })
}

function recordOf(receipt: Receipt, sides: Sides, now: number): QueryRecord | undefined {
  if (receipt.durationMs === undefined || receipt.durationMs > LONGEST_MS) return undefined
  const relation = relationOf(receipt, sides)
  if (relation.kind === 'joined') return relation.record
  // Before the service must have recorded the request, the only record may belong to another request, such as
  // one of another computer.
  if (relation.kind !== 'unclear' || !isRecordedBy(receipt, now)) return undefined
  const [record, ...others] = relation.free
  if (!record || others.length > 0 || record.apiKeyId === undefined) return undefined
  const rivals = sides.receipts.filter(
    (other) => other.id !== receipt.id && couldBe(record, other, sides.keyIds),
  )
  return rivals.every((rival) => relationOf(rival, sides).kind === 'joined') ? record : undefined
}

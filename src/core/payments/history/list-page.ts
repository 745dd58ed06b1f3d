import type { HistoryFilter, HistoryRecord, MissingReceipt } from '../../../shared/history.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { Service } from '../../gateway/service/http/perform.ts'
import type { Store } from '../../storage/index.ts'
import type { ApiContext, UnlockedCore } from '../../rpc/context.ts'
import { confirmCost } from './confirm-cost.ts'
import { createAccountHistory, type HistorySource } from './history-source.ts'
import { joinReceipts, spanOfDays } from './join-receipts.ts'
import { cursorOf, placeOf, START, type Place } from './place.ts'
import { readOn, type Batch } from './read-on.ts'
import type { Confirmation } from './receipt-relation.ts'
import { scopeOf } from './scope.ts'
import { SeenRecords } from './surroundings.ts'
import { toMissing, toRecord } from './to-record.ts'

/**
 * The number of the service's pages that are read for one page of the list if most records are filtered out.
 */
const MOST_PAGES = 20

export interface HistoryPlace {
  readonly service: Service
  readonly store: Pick<Store, 'receipts' | 'settings'>
  readonly confirm: (confirmation: Confirmation) => void
  /** Unix ms. */
  readonly now: () => number
}

/**
 * The history of the account that is active now. If another becomes active during a reading, it isn't used.
 */
export function historyPlaceOf({ store, accounts, budgets, fetch, now }: HistoryPlaceParts): HistoryPlace {
  const access = accounts.access()
  return {
    store,
    service: { fetch, access: () => access, now },
    now,
    confirm: (confirmation) => confirmCost({ store, budgets }, confirmation),
  }
}

export interface HistoryPlaceParts
  extends Pick<UnlockedCore, 'store' | 'accounts' | 'budgets'>, Pick<ApiContext, 'fetch' | 'now'> {}

export interface PageQuery {
  readonly filter: HistoryFilter
  readonly cursor?: string | undefined
  readonly limit: number
}

interface Listed {
  readonly records: HistoryRecord[]
  readonly next: string | null
  readonly total: number | null
  readonly unreadable: number
  readonly missing: MissingReceipt[]
  readonly uncompared: number | null
}

/** Returns a page of the history, with the names of keys and this computer's receipts. */
export async function listPage(
  place: HistoryPlace,
  { filter, cursor, limit }: PageQuery,
  signal: AbortSignal,
): Promise<Listed> {
  const from = cursor === undefined ? START : placeOf(cursor)
  const { keys, names, source, open } = await createAccountHistory(place, filter, signal)
  const { records, batches, next, total, unreadable } = await collect(source, from, limit)
  const { receipts, missing, uncompared } = await joinReceipts(records, {
    receipts: place.store.receipts,
    keyIds: keys.ids,
    seen: seenIn(batches, filter),
    open,
    now: place.now(),
    confirm: place.confirm,
    scope: scopeOf(filter, from, next, keys, names),
  })
  return {
    records: records.map((record, index) => toRecord(record, names, receipts[index])),
    next: next && cursorOf(next),
    total: source.wanted ? null : total,
    unreadable,
    missing: missing.map((receipt) => toMissing(receipt, names, keys.ids)),
    uncompared,
  }
}

async function collect(source: HistorySource, from: Place, limit: number) {
  const records: QueryRecord[] = []
  const batches: Batch[] = []
  let [total, unreadable] = [0, 0]
  let next: Place | null = null
  for await (const batch of readOn(source, from)) {
    batches.push(batch)
    total = batch.total
    unreadable += batch.unreadable
    const examined = take(batch, records, limit, source.wanted)
    next = examined === batch.records.length && batch.last ? null : batch.after(examined)
    if (records.length >= limit || batches.length >= MOST_PAGES) break
  }
  return { records, batches, next, total, unreadable }
}

/**
 * Adds wanted records to `records` until there are `limit`, and then those of the same moment. Returns how
 * many of the batch were examined.
 */
function take(
  { records: found }: Batch,
  records: QueryRecord[],
  limit: number,
  wanted: HistorySource['wanted'],
): number {
  for (const [index, record] of found.entries()) {
    if (records.length >= limit && record.at !== found[index - 1]?.at) return index
    if (wanted?.(record) ?? true) records.push(record)
  }
  return found.length
}

/**
 * Returns the time in which this reading saw every record. A filter by anything except days omits some, so
 * then it's empty.
 */
export function seenIn(batches: readonly Batch[], { from, until, ...others }: HistoryFilter): SeenRecords {
  const seen = new SeenRecords()
  const [first, last] = [batches[0], batches.at(-1)]
  if (!first || !last || Object.keys(others).length > 0 || batches.some((batch) => batch.unreadable > 0))
    return seen
  const days = spanOfDays({ ...(from !== undefined && { from }), ...(until !== undefined && { until }) })
  const newest = first.seen[0]
  const oldest = last.seen.at(-1)
  seen.add(
    {
      from: last.last || !oldest ? days.from : oldest.at + 1,
      until: first.page === 1 || !newest ? days.until : newest.at - 1,
    },
    pagesOnce(batches).flatMap((batch) => batch.seen),
  )
  return seen
}

/** If a page was read twice, the later reading counts. */
function pagesOnce(batches: readonly Batch[]): readonly Batch[] {
  return [...new Map(batches.map((batch) => [batch.page, batch])).values()]
}

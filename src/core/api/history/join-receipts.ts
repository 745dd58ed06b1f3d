import type { Receipt } from '../../../shared/receipt.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import type { QueryRecord } from '../../service/account/read/history.ts'
import type { Store } from '../../store/index.ts'
import type { HistorySource } from './history-source.ts'
import { agree, CLOCKS_APART_MS, LONGEST_MS, match, spanOf, type Span } from './receipt-match.ts'
import { readSpan, together, type Allowance, type SeenRecords } from './surroundings.ts'

/** Opening one takes some 20 µs, in which nothing else happens. */
const MOST_RECEIPTS = 2_000
/** Pages of the service that one page of the list may cost beside itself. */
const MOST_PAGES = 12
const DAY_MS = 86_400_000

export interface JoinOptions {
  readonly receipts: Pick<Store['receipts'], 'between'>
  /** The service's ids of the keys that receipts were made with, by their mark. */
  readonly keyIds: ReadonlyMap<string, string>
  /** What was read already, with nothing of its time left out. */
  readonly seen: SeenRecords
  /** All records of these days, of every key. */
  readonly open: (days: Pick<HistoryFilter, 'from' | 'until'>) => Promise<Pick<HistorySource, 'read'>>
}

/**
 * The receipt of each record, or undefined. A record is joined only where all of its surroundings are known on both sides,
 * so that a second candidate would have been seen; what filters leave out and what stands on other pages is read for it, as
 * far as that is cheap.
 */
export async function joinReceipts(records: readonly QueryRecord[], { receipts, keyIds, seen, open }: JoinOptions): Promise<(Receipt | undefined)[]> {
  const nothing = records.map(() => undefined)
  if (keyIds.size === 0) return nothing
  const kept = receiptsNear(records, receipts)
  if (!kept) return nothing
  const wanted = kept.flatMap((receipt) => {
    const span = spanOf(receipt)
    return span && records.some((record) => agree(record, receipt, keyIds)) ? [span] : []
  })
  const allowance: Allowance = { pages: MOST_PAGES }
  for (const span of together(wanted.filter((each) => seen.of(each) === null))) {
    const found = await readSpan(await open({ from: dayOf(span.from), until: dayOf(span.until) }), span, allowance)
    if (found) seen.add(span, found)
  }
  return match(records, kept, keyIds, (receipt) => {
    const span = spanOf(receipt)
    return span && seen.of(span)
  })
}

/** All receipts that could be of any of the records; null where there are too many to look at. */
function receiptsNear(records: readonly QueryRecord[], receipts: JoinOptions['receipts']): readonly Receipt[] | null {
  const near: Span[] = records.map(({ at }) => ({ from: Math.floor(at) - CLOCKS_APART_MS - LONGEST_MS, until: Math.ceil(at) + CLOCKS_APART_MS }))
  const found: Receipt[] = []
  for (const { from, until } of together(near)) {
    const left = MOST_RECEIPTS - found.length
    found.push(...receipts.between(from, until, left + 1))
    if (found.length > MOST_RECEIPTS) return null
  }
  return found
}

/** UTC, as the service's days are taken to be. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The span of a filter's days; open where it names none. */
export function spanOfDays({ from, until }: Pick<HistoryFilter, 'from' | 'until'>): Span {
  return { from: from === undefined ? -Infinity : Date.parse(from), until: until === undefined ? Infinity : Date.parse(until) + DAY_MS - 1 }
}

import type { Receipt } from '../../../shared/receipt.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { Store } from '../../storage/index.ts'
import type { HistorySource } from './history-source.ts'
import { agree, CLOCKS_APART_MS, couldBe, LONGEST_MS, match, timesOf, type Span } from './receipt-match.ts'
import { confirmations, isRecordedBy, relationOf, type Confirmation, type Sides } from './receipt-relation.ts'
import { readSpan, together, type Allowance, type SeenRecords } from './surroundings.ts'

/** Decrypting a receipt takes some 20 µs and blocks the thread. */
const MOST_RECEIPTS = 2_000
/** The number of additional pages of the service for one page of the list. */
const MOST_PAGES = 12
/** Three times the largest distance between a request and its record. */
const TOLERANCE_MS = 3 * (LONGEST_MS + CLOCKS_APART_MS)
const DAY_MS = 86_400_000

export interface JoinOptions {
  readonly receipts: Pick<Store['receipts'], 'between'>
  /** The service's IDs of the keys of receipts, by their fingerprint. */
  readonly keyIds: ReadonlyMap<string, string>
  /** The records that were read already, complete for their time. */
  readonly seen: SeenRecords
  /** Opens all records of these days, of every key. */
  readonly open: (days: Pick<HistoryFilter, 'from' | 'until'>) => Promise<Pick<HistorySource, 'read'>>
  /** Unix ms. */
  readonly now: number
  readonly confirm: (confirmation: Confirmation) => void
  readonly scope: Scope | null
}

/** Selects the receipts of a list that have no record in it. */
export interface Scope {
  /** The time that the list covers. */
  readonly span: Span
  /** Whether it's of this account and passes the list's filter. */
  readonly wanted: (receipt: Receipt) => boolean
}

export interface Joined {
  /** The receipt of each record, or undefined. */
  readonly receipts: readonly (Receipt | undefined)[]
  /** Receipts with a cost that have no record in the service's history; the newest first. */
  readonly missing: readonly Receipt[]
  /**
   * The number of receipts for which it's unclear whether the service has them; null if none were compared.
   */
  readonly uncompared: number | null
}

/**
 * Joins records with receipts. A record is joined only if all of its surroundings are known on both sides, so
 * that a second candidate would have been seen. Records that are filtered out, or are on other pages, are
 * read for that as far as it's cheap.
 * @param confirm saves a confirmed cost
 * @param scope null if receipts without a record aren't wanted
 */
export async function joinReceipts(
  records: readonly QueryRecord[],
  { receipts, keyIds, seen, open, now, confirm, scope }: JoinOptions,
): Promise<Joined> {
  const near = records.map(({ at }) => nearSpan({ from: at, until: at }))
  // For a doubted cost, nearby receipts also matter, because they compete for the same records.
  const competing =
    receiptsIn(near, receipts)
      ?.filter(({ costDoubted }) => costDoubted)
      .map(({ at }) => ({ from: at - TOLERANCE_MS, until: at + TOLERANCE_MS })) ?? []
  const inScope =
    scope &&
    receiptsIn([scope.span], receipts)?.filter(
      (receipt) => countsAsCharged(receipt) && isRecordedBy(receipt, now) && scope.wanted(receipt),
    )
  const spans = [...near, ...competing, ...(inScope?.map((receipt) => nearSpan(timesOf(receipt))) ?? [])]
  const widely = receiptsIn(spans, receipts)
  const compared = widely && inScope ? inScope : null
  const nearby = widely ?? receiptsIn(near, receipts)
  if (!nearby) return { receipts: records.map(() => undefined), missing: [], uncompared: null }

  const doubted = nearby.filter(({ costDoubted }) => costDoubted)
  const disputed = records.filter((record) => doubted.some((receipt) => couldBe(record, receipt, keyIds)))
  const candidates = nearby.filter(
    (receipt) =>
      records.some((record) => agree(record, receipt, keyIds)) ||
      disputed.some((record) => couldBe(record, receipt, keyIds)),
  )
  const allowance: Allowance = { pages: MOST_PAGES }
  for (const each of [candidates, compared ?? []]) {
    for (const span of together(each.map(timesOf).filter((times) => seen.of(times) === null))) {
      const found = await readSpan(
        await open({ from: dayOf(span.from), until: dayOf(span.until) }),
        span,
        allowance,
      )
      if (found) seen.add(span, found)
    }
  }

  const sides: Sides = { receipts: nearby, keyIds, surroundings: (receipt) => seen.of(timesOf(receipt)) }
  const confirmed = confirmations(sides, now)
  for (const confirmation of confirmed) confirm(confirmation)
  // Compared again, because a confirmed receipt is now joined.
  const after = confirmed.length === 0 ? sides : { ...sides, receipts: receiptsIn(spans, receipts) ?? nearby }
  const current = new Map(after.receipts.map((receipt) => [receipt.id, receipt]))
  const relations =
    compared?.map((each) => {
      const receipt = current.get(each.id) ?? each
      return { receipt, kind: relationOf(receipt, after).kind }
    }) ?? null
  return {
    receipts: match(records, after.receipts, keyIds, after.surroundings),
    missing:
      relations?.flatMap(({ receipt, kind }) => (kind === 'missing' ? [receipt] : [])).toReversed() ?? [],
    uncompared: relations && relations.filter(({ kind }) => kind === 'unclear' || kind === 'unknown').length,
  }
}

/**
 * Whether a request has a cost, so that the service must have a record of it. An incomplete one may not have
 * been charged.
 */
function countsAsCharged(receipt: Receipt): boolean {
  const cost = costOf(receipt)
  return (
    receipt.outcome === 'complete' &&
    receipt.privacy !== 'refused' &&
    receipt.paidMsat === undefined &&
    cost !== undefined &&
    BigInt(cost) > 0n
  )
}

/** Returns the time of all receipts that could belong to a record in this span. */
function nearSpan({ from, until }: Span): Span {
  return { from: Math.floor(from) - CLOCKS_APART_MS - LONGEST_MS, until: Math.ceil(until) + CLOCKS_APART_MS }
}

/**
 * Returns all receipts that began in any of these spans, the oldest first; null if they are too many to
 * decrypt.
 */
function receiptsIn(spans: readonly Span[], receipts: JoinOptions['receipts']): readonly Receipt[] | null {
  const found: Receipt[] = []
  for (const { from, until } of together(spans.filter((span) => span.from <= span.until))) {
    const left = MOST_RECEIPTS - found.length
    found.push(...receipts.between(Math.max(from, 0), Math.min(until, Number.MAX_SAFE_INTEGER), left + 1))
    if (found.length > MOST_RECEIPTS) return null
  }
  return found
}

/** UTC, which the service's days are assumed to be. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns the span of a filter's days; unbounded if it names none. */
export function spanOfDays({ from, until }: Pick<HistoryFilter, 'from' | 'until'>): Span {
  return {
    from: from === undefined ? -Infinity : Date.parse(from),
    until: until === undefined ? Infinity : Date.parse(until) + DAY_MS - 1,
  }
}

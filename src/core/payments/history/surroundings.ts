import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { HistorySource } from './history-source.ts'
import type { Span } from './receipt-match.ts'

/** Spans that are not further apart than this are looked at together. */
const TOGETHER_MS = 10 * 60_000

/** Spans of time of which every record was seen. */
export class SeenRecords {
  readonly #parts: { readonly span: Span; readonly records: readonly QueryRecord[] }[] = []

  add(span: Span, records: readonly QueryRecord[]): void {
    this.#parts.push({ span, records })
  }

  /** All records of a span; null where not all were seen. */
  of({ from, until }: Span): readonly QueryRecord[] | null {
    const part = this.#parts.find(({ span }) => span.from <= from && until <= span.until)
    return part?.records.filter(({ at }) => at >= from && at <= until) ?? null
  }
}

/** As few spans as hold all of these. */
export function together(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && span.from - last.until <= TOGETHER_MS)
      joined[joined.length - 1] = { from: last.from, until: Math.max(last.until, span.until) }
    else joined.push(span)
  }
  return joined
}

/** How many more pages of the service may be read. */
export interface Allowance {
  pages: number
}

/**
 * All records of a span, of a source that filters by nothing but days. The span's first page is found by halving, since a
 * day may have many. null where the allowance does not reach. Where the list grows meanwhile a record may stand in it twice.
 */
export async function readSpan(
  { read }: Pick<HistorySource, 'read'>,
  { from, until }: Span,
  allowance: Allowance,
): Promise<readonly QueryRecord[] | null> {
  const next = (page: number) => {
    allowance.pages -= 1
    return allowance.pages < 0 ? null : read(page)
  }
  let answer = await next(1)
  if (!answer) return null
  const { pages } = answer
  const isAfter = (records: readonly QueryRecord[]): boolean => {
    const oldest = records.at(-1)
    return oldest !== undefined && oldest.at > until
  }
  let page = 1
  if (isAfter(answer.records)) {
    // `low` ends after the span, `high` does not, or is past the end.
    let [low, high] = [1, pages + 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      answer = await next(middle)
      if (!answer) return null
      if (isAfter(answer.records)) low = middle
      else high = middle
    }
    page = high
    if (page > pages) return []
    answer = await next(page)
  }
  const found: QueryRecord[] = []
  while (answer) {
    // Of what cannot be read nobody knows what it agrees with.
    if (answer.unreadable > 0) return null
    found.push(...answer.records)
    const oldest = answer.records.at(-1)
    if (page >= answer.pages || !oldest || oldest.at < from) return found
    page += 1
    answer = await next(page)
  }
  return null
}

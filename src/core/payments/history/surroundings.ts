import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { HistorySource } from './history-source.ts'
import type { Span } from './receipt-match.ts'

/** Spans that are closer than this are read together. */
const TOGETHER_MS = 10 * 60_000

/** Spans of time of which every record was seen. */
export class SeenRecords {
  readonly #parts: { readonly span: Span; readonly records: readonly QueryRecord[] }[] = []

  add(span: Span, records: readonly QueryRecord[]): void {
    this.#parts.push({ span, records })
  }

  /** Returns all records of a span; null if not all were seen. */
  of({ from, until }: Span): readonly QueryRecord[] | null {
    const part = this.#parts.find(({ span }) => span.from <= from && until <= span.until)
    return part?.records.filter(({ at }) => at >= from && at <= until) ?? null
  }
}

/** Merges the spans into as few as possible. */
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

/** The number of additional pages of the service that may be read. */
export interface Allowance {
  pages: number
}

/**
 * Reads all records of a span, from a source that only filters by days. It finds the span's first page by
 * binary search, because a day may have many. Returns null if the allowance is too small. If the list grows
 * during the reading, a record may occur twice.
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
    // The page `low` ends after the span. The page `high` doesn't, or is past the end.
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
    // An unreadable record could match anything.
    if (answer.unreadable > 0) return null
    found.push(...answer.records)
    const oldest = answer.records.at(-1)
    if (page >= answer.pages || !oldest || oldest.at < from) return found
    page += 1
    answer = await next(page)
  }
  return null
}

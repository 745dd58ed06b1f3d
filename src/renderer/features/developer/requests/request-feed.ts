import type { LocalRequest } from '../../../../shared/local-key.ts'
import type { Privacy } from '../../../../shared/privacy.ts'

export interface RequestFilter {
  readonly keyId?: string
  readonly privacy?: Privacy
}

/** The loaded lines of the request list, newest first. */
export interface RequestFeed {
  readonly filter: RequestFilter
  /** Undefined before the first page. */
  readonly lines: readonly LocalRequest[] | undefined
  /** The cursor of the next page with older requests; null if there are none. */
  readonly next: string | null
  /** Where lines were added last. The list moves its view only for those before it. */
  readonly grew: 'start' | 'end'
}

export function newFeed(filter: RequestFilter): RequestFeed {
  return { filter, lines: undefined, next: null, grew: 'end' }
}

/** Appends a page of older requests. */
export function withPage(
  feed: RequestFeed,
  { requests, next }: { readonly requests: readonly LocalRequest[]; readonly next: string | null },
): RequestFeed {
  return { ...feed, lines: merged(feed.lines ?? [], requests), next, grew: 'end' }
}

/**
 * Adds requests that just ended to the front if they pass the filter. Before the first page, the feed doesn't
 * change, because that page will contain them.
 */
export function withLive(feed: RequestFeed, requests: readonly LocalRequest[]): RequestFeed {
  if (!feed.lines) return feed
  const passed = requests.filter((request) => passes(feed.filter, request))
  return passed.length === 0 ? feed : { ...feed, lines: merged(passed, feed.lines), grew: 'start' }
}

function passes({ keyId, privacy }: RequestFilter, request: LocalRequest): boolean {
  return (
    (keyId === undefined || request.keyId === keyId) && (privacy === undefined || request.privacy === privacy)
  )
}

/** Joins both lists without duplicates. */
function merged(first: readonly LocalRequest[], second: readonly LocalRequest[]): LocalRequest[] {
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...second.filter(({ id }) => !known.has(id))]
}

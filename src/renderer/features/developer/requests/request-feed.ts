import type { LocalRequest } from '../../../../shared/local-key.ts'
import type { Privacy } from '../../../../shared/privacy.ts'

export interface RequestFilter {
  readonly keyId?: string
  readonly privacy?: Privacy
}

/** The lines of the request list that are here, the newest first. */
export interface RequestFeed {
  readonly filter: RequestFilter
  /** undefined before the first page. */
  readonly lines: readonly LocalRequest[] | undefined
  /** Where older ones begin; null where there are none. */
  readonly next: string | null
}

export function newFeed(filter: RequestFilter): RequestFeed {
  return { filter, lines: undefined, next: null }
}

/** With a page of older ones at its end. */
export function withPage(
  feed: RequestFeed,
  { requests, next }: { readonly requests: readonly LocalRequest[]; readonly next: string | null },
): RequestFeed {
  return { ...feed, lines: merged(feed.lines ?? [], requests), next }
}

/** With those that ended just now at its head, as far as they pass the filter. Before the first page they are in it anyway. */
export function withLive(feed: RequestFeed, requests: readonly LocalRequest[]): RequestFeed {
  if (!feed.lines) return feed
  const passed = requests.filter((request) => passes(feed.filter, request))
  return passed.length === 0 ? feed : { ...feed, lines: merged(passed, feed.lines) }
}

function passes({ keyId, privacy }: RequestFilter, request: LocalRequest): boolean {
  return (
    (keyId === undefined || request.keyId === keyId) && (privacy === undefined || request.privacy === privacy)
  )
}

/** One after the other, each request once. */
function merged(first: readonly LocalRequest[], second: readonly LocalRequest[]): LocalRequest[] {
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...second.filter(({ id }) => !known.has(id))]
}

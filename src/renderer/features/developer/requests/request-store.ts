import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { LocalApiEvent } from '../../../../shared/contract/local-api.ts'
import type { LocalRequest } from '../../../../shared/local-key.ts'
import { currentScope, type Scope } from '../../../data/service-scope.tsx'
import { readScopedState, setScopedState, type ScopedState } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { newFeed, withLive, withPage, type RequestFeed, type RequestFilter } from './request-feed.ts'

const PAGE = 100

interface RequestState {
  readonly feed: RequestFeed
  readonly busy: boolean
  readonly failure: Failure | undefined
  /** The turn of the page that is awaited. A page that was asked for earlier is discarded. */
  readonly turn: number
  /** Requests that ended while a page was on its way, and that can be missing in it. */
  readonly arrived: readonly LocalRequest[]
}

export const localRequests: ScopedState<RequestState> = {
  key: ['local-requests'],
  initial: { feed: newFeed({}), busy: false, failure: undefined, turn: 0, arrived: [] },
}

/** Adds requests that ended just now. */
export function takeRequests(scope: Scope, { requests, more }: LocalApiEvent, first: boolean): void {
  setScopedState(scope, localRequests, (before) => ({
    ...before,
    feed: withLive(before.feed, requests),
    arrived: before.busy ? [...requests, ...before.arrived] : before.arrived,
  }))
  const { feed } = readScopedState(scope, localRequests)
  // Between two streams, or in a rush, requests were missed.
  if (more || (first && feed.lines)) void readRequests(feed.filter, scope)
}

/** Reads the list of requests from its newest page again, under a filter. */
export async function readRequests(filter: RequestFilter, scope = currentScope()): Promise<void> {
  // The list stays visible until the first page of the same filter arrives.
  setScopedState(scope, localRequests, (before) => ({
    ...before,
    feed: sameFilter(before.feed.filter, filter) ? before.feed : newFeed(filter),
  }))
  await fetchPage(scope, newFeed(filter))
}

export async function olderRequests(): Promise<void> {
  const scope = currentScope()
  const { feed, busy } = readScopedState(scope, localRequests)
  if (!busy && feed.next !== null) await fetchPage(scope, feed)
}

async function fetchPage(scope: Scope, from: RequestFeed): Promise<void> {
  const turn = readScopedState(scope, localRequests).turn + 1
  const isAwaited = () => readScopedState(scope, localRequests).turn === turn
  const put = (change: (before: RequestState) => Partial<RequestState>) =>
    setScopedState(scope, localRequests, (before) => ({ ...before, ...change(before) }))
  put(() => ({ turn, busy: true, failure: undefined, arrived: [] }))
  try {
    let feed = from
    // A page can be empty although older ones aren't.
    do {
      feed = withPage(
        feed,
        await api.localApi.requests({
          ...from.filter,
          limit: PAGE,
          ...(feed.next !== null && { cursor: feed.next }),
        }),
      )
    } while (isAwaited() && feed.next !== null && feed.lines?.length === (from.lines?.length ?? 0))
    // The list shows already what arrived during the reading.
    if (isAwaited())
      put(({ arrived }) => ({ feed: { ...withLive(feed, arrived), grew: 'end' }, busy: false }))
  } catch (thrown) {
    if (isAwaited()) put(() => ({ failure: asFailure(thrown), busy: false }))
  }
}

function sameFilter(a: RequestFilter, b: RequestFilter): boolean {
  return a.keyId === b.keyId && a.privacy === b.privacy
}

import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { LocalApiEvent } from '../../../shared/contract/local-api.ts'
import type { KeyLimitsText } from '../../../shared/key-limits.ts'
import type { LocalKeyView, LocalRequest } from '../../../shared/local-key.ts'
import type { Model } from '../../../shared/model.ts'
import { watch } from '../../data/watch.ts'
import { api } from '../../ui/api.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { asFailure } from '../../ui/failure.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import { newFeed, withLive, withPage, type RequestFeed, type RequestFilter } from './requests/request-feed.ts'

interface LocalApiState {
  readonly access:
    { readonly baseUrl: string; readonly key: string; readonly exampleModel: string } | undefined
  readonly accessFailure: Failure | undefined
  /** In the order in which they were made. */
  readonly keys: readonly LocalKeyView[] | undefined
  readonly keysFailure: Failure | undefined
  readonly models: readonly Model[] | undefined
  readonly feed: RequestFeed
  readonly feedBusy: boolean
  readonly feedFailure: Failure | undefined
  /** Whether keys and requests follow what happens; where they do not, what is shown is as of then. */
  readonly following: boolean
  /** Secrets of keys made in this window, by key, until they are said to be saved. They are kept nowhere else. */
  readonly secrets: Readonly<Record<string, string>>
  /** The key that a tool's settings are filled in with, by tool. */
  readonly keyOfTool: Readonly<Record<string, string>>
}

const empty: LocalApiState = {
  access: undefined,
  accessFailure: undefined,
  keys: undefined,
  keysFailure: undefined,
  models: undefined,
  feed: newFeed({}),
  feedBusy: false,
  feedFailure: undefined,
  following: false,
  secrets: {},
  keyOfTool: {},
}

export const useLocalApi = create<LocalApiState>()(() => empty)

/** Which page is awaited; one that was asked for before it is let go. */
let asked = 0

onServiceChange(() => {
  // A page on its way is of the former.
  asked++
  useLocalApi.setState(empty)
})

/** Of a service that was left meanwhile nothing is kept, nor once `signal` says that nobody looks. */
export async function loadAccess(signal?: AbortSignal): Promise<void> {
  const still = sameService()
  const wanted = () => still() && !signal?.aborted
  try {
    const [access, models] = await Promise.all([api.localApi.get(), api.models.list().catch(() => undefined)])
    if (wanted()) useLocalApi.setState({ access, models, accessFailure: undefined })
  } catch (thrown) {
    if (wanted()) useLocalApi.setState({ accessFailure: asFailure(thrown) })
  }
}

/** Follows keys and requests until `signal` aborts. */
export function follow(signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: (left) => api.localApi.watch(undefined, { signal: left }),
      onEvent: take,
      onState: ({ following, failure }) => useLocalApi.setState({ following, keysFailure: failure }),
    },
    signal,
  )
}

/** Requests that ended while a page was on its way, and may be missing in it. */
let arrived: readonly LocalRequest[] = []

/** `first` of its stream: it holds all keys. */
function take({ keys, requests, more }: LocalApiEvent, first: boolean): void {
  const { feed, feedBusy } = useLocalApi.getState()
  if (feedBusy) arrived = [...requests, ...arrived]
  useLocalApi.setState((state) => ({
    keys: first ? keys : withKeys(state.keys ?? [], keys),
    feed: withLive(state.feed, requests),
  }))
  // Between two streams, or in a rush, lines were missed.
  if (more || (first && feed.lines)) void openFeed(feed.filter)
}

function withKeys(known: readonly LocalKeyView[], changed: readonly LocalKeyView[]): LocalKeyView[] {
  const byId = new Map([...known, ...changed].map((key) => [key.id, key]))
  return [...byId.values()]
}

const PAGE = 100

/** Begins the request list anew, under a filter. */
export async function openFeed(filter: RequestFilter): Promise<void> {
  const { feed } = useLocalApi.getState()
  // What is shown stays until the first page of the same filter is here.
  useLocalApi.setState({ feed: sameFilter(feed.filter, filter) ? feed : newFeed(filter) })
  await fetchPage(newFeed(filter))
}

export async function olderRequests(): Promise<void> {
  const { feed, feedBusy } = useLocalApi.getState()
  if (feedBusy || feed.next === null) return
  await fetchPage(feed)
}

async function fetchPage(from: RequestFeed): Promise<void> {
  const turn = ++asked
  arrived = []
  useLocalApi.setState({ feedBusy: true, feedFailure: undefined })
  try {
    let feed = from
    // A page can be empty while older ones are not.
    do {
      feed = withPage(
        feed,
        await api.localApi.requests({
          ...from.filter,
          limit: PAGE,
          ...(feed.next !== null && { cursor: feed.next }),
        }),
      )
    } while (turn === asked && feed.next !== null && feed.lines?.length === (from.lines?.length ?? 0))
    if (turn === asked) useLocalApi.setState({ feed: withLive(feed, arrived), feedBusy: false })
  } catch (thrown) {
    if (turn === asked) useLocalApi.setState({ feedFailure: asFailure(thrown), feedBusy: false })
  }
}

function sameFilter(a: RequestFilter, b: RequestFilter): boolean {
  return a.keyId === b.keyId && a.privacy === b.privacy
}

/** Makes a key; its secret stays here until it is said to be saved, or its service is left. Throws what the call throws. */
export async function createKey(name: string, limits: KeyLimitsText): Promise<LocalKeyView> {
  const still = sameService()
  const { key, secret } = await confirmable((signal) => api.localApi.create({ name, limits }, { signal }))
  if (!still()) return key
  putKey(key)
  useLocalApi.setState(({ secrets }) => ({ secrets: { ...secrets, [key.id]: secret } }))
  return key
}

/** Throws what the call throws. */
export async function updateKey(
  keyId: string,
  change: { name: string; limits: KeyLimitsText },
): Promise<void> {
  const still = sameService()
  const key = await confirmable((signal) => api.localApi.update({ keyId, ...change }, { signal }))
  if (still()) putKey(key)
}

/**
 * Adds to a key's budget for a time; "0" ends that. Throws what the call throws.
 * @param picoUsd decimal text
 * @param until Unix ms; undefined for the end of the budget's period
 */
export async function increaseBudget(keyId: string, picoUsd: string, until?: number): Promise<void> {
  const still = sameService()
  const key = await confirmable((signal) => api.localApi.increase({ keyId, picoUsd, until }, { signal }))
  if (still()) putKey(key)
}

/** Throws what the call throws. */
export async function revokeKey(keyId: string): Promise<void> {
  const still = sameService()
  const key = await confirmable((signal) => api.localApi.revoke({ keyId }, { signal }))
  if (still()) putKey(key)
  forgetSecret(keyId)
}

/** Gives the first key another secret. Throws what the call throws. */
export async function rotateFirstKey(): Promise<void> {
  const still = sameService()
  const { key } = await confirmable((signal) => api.localApi.rotate(undefined, { signal }))
  if (!still()) return
  putKey(key)
  await loadAccess()
}

export function forgetSecret(keyId: string): void {
  useLocalApi.setState(({ secrets }) => ({
    secrets: Object.fromEntries(Object.entries(secrets).filter(([id]) => id !== keyId)),
  }))
}

export function fillIn(toolId: string, keyId: string): void {
  useLocalApi.setState(({ keyOfTool }) => ({ keyOfTool: { ...keyOfTool, [toolId]: keyId } }))
}

function putKey(key: LocalKeyView): void {
  useLocalApi.setState(({ keys = [] }) => ({ keys: withKeys(keys, [key]) }))
}

import { hashKey, keepPreviousData, skipToken, useQuery, type QueryKey } from '@tanstack/react-query'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { asFailure } from '../ui/failure.ts'
import { useNearestScope, useScope, type Scope } from './service-scope.tsx'

/** A question to the core. `key` tells it from every other question; equal keys share one answer. */
export interface Question<T> {
  readonly key: QueryKey
  readonly ask: (context: { readonly signal: AbortSignal }) => Promise<T>
}

export interface Answer<T> {
  /** The last answer. It remains while a newer one loads, and after a failure. */
  readonly data: T | undefined
  /** Whether `data` answers the question before this one. */
  readonly outdated: boolean
  readonly busy: boolean
  /** Why the last attempt failed; undefined while another one runs, unless it is asked for at intervals. */
  readonly failure: Failure | undefined
  /** Asks again. */
  readonly refresh: () => void
}

/**
 * Asks when the component mounts and when the key changes.
 * @param question undefined asks nothing
 * @param options `keepPrevious` shows the answer of the previous key until the new one arrives; `transient` removes the
 *   answer from the cache when nothing shows it; `once` doesn't ask again for a question that is answered;
 *   `every` asks again after so many milliseconds while the page is visible, and `failure` remains until an attempt
 *   succeeds
 */
export function useAnswer<T>(
  question: Question<T> | undefined,
  options: {
    readonly keepPrevious?: boolean
    readonly transient?: boolean
    readonly once?: boolean
    readonly every?: number
  } = {},
): Answer<T> {
  const scope = useScope()
  const query = useQuery<T>({
    queryKey: [scope.service, ...(question?.key ?? ['nothing'])],
    queryFn: question ? ({ signal }) => question.ask({ signal }) : skipToken,
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    ...(options.transient && { gcTime: 0 }),
    ...(options.once && { staleTime: Infinity }),
    ...(options.every !== undefined && { refetchInterval: options.every }),
  })
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  const failure = useFailure(error, isFetching)
  // A query without an answer forgets its error while it runs again.
  const [last, setLast] = useState(failure)
  if (options.every !== undefined && !isFetching && last !== failure) setLast(failure)
  return {
    data,
    outdated: isPlaceholderData,
    busy: isFetching,
    failure: options.every === undefined ? failure : last,
    refresh: () => void refetch(),
  }
}

/** The failure of a query. It is undefined while the query runs again. */
export function useFailure(error: Error | null, busy: boolean): Failure | undefined {
  const failure = useMemo(() => (error ? asFailure(error) : undefined), [error])
  return busy ? undefined : failure
}

/** The cached answer. */
export function readAnswer<T>(scope: Scope, question: Question<T>): T | undefined {
  return scope.client.getQueryData<T>([scope.service, ...question.key])
}

/** The cached answer, or else a new one. Throws what the question throws. */
export function loadAnswer<T>(scope: Scope, question: Question<T>): Promise<T> {
  return scope.client.query<T>({
    queryKey: [scope.service, ...question.key],
    queryFn: ({ signal }) => question.ask({ signal }),
    staleTime: Infinity,
  })
}

/** Replaces the cached answer. An answer that is on its way was asked for before, so it is discarded. */
export function writeAnswer<T>(
  scope: Scope,
  question: Question<T>,
  change: (before: T | undefined) => T | undefined,
): void {
  const queryKey = [scope.service, ...question.key]
  void scope.client.cancelQueries({ queryKey })
  scope.client.setQueryData<T>(queryKey, change)
}

/** Asks again for every answer under this key that is shown, and marks the others as outdated. */
export async function refreshAnswers(scope: Scope, key: QueryKey): Promise<void> {
  await scope.client.invalidateQueries({ queryKey: [scope.service, ...key] })
}

/** Removes the answers under this key, and asks again for those that are shown. */
export async function resetAnswers(scope: Scope, key: QueryKey): Promise<void> {
  await scope.client.resetQueries({ queryKey: [scope.service, ...key] })
}

/** State of the window that ends with its service, such as a filter or a draft. */
export interface ScopedState<T> {
  readonly key: QueryKey
  readonly initial: T
}

/** The state, also for a component that isn't below a ServiceScope. */
export function useScopedState<T>(state: ScopedState<T>): T {
  return useScopedPart(state, (whole) => whole)
}

/** @param select a part of the state, which is the same object for the same state */
export function useScopedPart<T, Part>(state: ScopedState<T>, select: (whole: T) => Part): Part {
  const scope = useNearestScope()
  const hash = hashKey(stateKey(scope, state))
  const subscribe = useCallback(
    (changed: () => void) =>
      // Other events can come while React renders, when no component may change.
      scope.client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryHash === hash) changed()
      }),
    [scope, hash],
  )
  const read = () => select(readScopedState(scope, state))
  return useSyncExternalStore(subscribe, read, read)
}

function stateKey<T>({ service }: Scope, { key }: ScopedState<T>): QueryKey {
  return [service, 'state', ...key]
}

export function readScopedState<T>(scope: Scope, state: ScopedState<T>): T {
  return scope.client.getQueryData<T>(stateKey(scope, state)) ?? state.initial
}

export function setScopedState<T>(scope: Scope, state: ScopedState<T>, change: (before: T) => T): void {
  scope.client.setQueryData<T>(stateKey(scope, state), change(readScopedState(scope, state)))
}

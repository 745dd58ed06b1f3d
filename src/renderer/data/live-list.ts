import { useEffect } from 'react'
import { mayBeOlder } from '../ui/answer-order.ts'
import { currentScope, useScope, type Scope } from './service-scope.tsx'
import { readScopedState, setScopedState, type ScopedState } from './use-answer.ts'
import { watch, type WatchState } from './watch.ts'

interface Item {
  readonly id: string
}

export interface ListState<T> extends WatchState {
  /** Undefined until the stream or a call answers. */
  readonly items: readonly T[] | undefined
}

export const emptyList: ListState<never> = { items: undefined, following: false, failure: undefined }

/** A list of the core that a stream keeps up to date. Calls that change an item answer with that item. */
export interface LiveList<T extends Item> {
  readonly state: ScopedState<ListState<T>>
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<readonly T[]>>
  readonly compare: (a: T, b: T) => number
  /** Called with the changed items and the earlier list, which is empty in a scope that was left. */
  readonly onChange: (scope: Scope, changed: readonly T[], before: readonly T[]) => void
}

/** Follows the list while the component is mounted. */
export function useFollow<T extends Item>(list: LiveList<T>): void {
  const scope = useScope()
  useEffect(() => {
    const left = new AbortController()
    void follow(scope, list, left.signal)
    return () => left.abort()
  }, [scope, list])
}

/** Follows the list until `signal` aborts. */
export function follow<T extends Item>(scope: Scope, list: LiveList<T>, signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: list.open,
      onEvent: (items, first) => putItems(scope, list, items, first),
      onState: (state) => setScopedState(scope, list.state, (before) => ({ ...before, ...state })),
    },
    signal,
  )
}

/** @param all whether `items` are the whole list, so that a missing one is deleted */
function putItems<T extends Item>(scope: Scope, list: LiveList<T>, items: readonly T[], all = false): void {
  const before = readScopedState(scope, list.state).items ?? []
  const changed = new Map(items.map((item) => [item.id, item]))
  const others = all ? [] : before.filter(({ id }) => !changed.has(id))
  setScopedState(scope, list.state, (state) => ({
    ...state,
    items: [...changed.values(), ...others].toSorted(list.compare),
  }))
  list.onChange(scope, items, before)
}

/** Shows what a call answers, unless the stream may have sent a later state of it. Throws what the call throws. */
export async function putAnswer<T extends Item>(list: LiveList<T>, call: Promise<T>): Promise<T> {
  const scope = currentScope()
  const item = await call
  const { items, following } = readScopedState(scope, list.state)
  if (!mayBeOlder(item, items, following)) putItems(scope, list, [item])
  return item
}

export function removeItem<T extends Item>(scope: Scope, list: LiveList<T>, id: string): void {
  setScopedState(scope, list.state, (state) => ({
    ...state,
    items: state.items?.filter((item) => item.id !== id),
  }))
}

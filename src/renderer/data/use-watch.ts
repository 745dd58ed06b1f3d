import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useScope } from './service-scope.tsx'
import { watch, type WatchState } from './watch.ts'

/**
 * A live list in the cache of the scope, under `name`.
 * @param reduce the list after an event; `first` events hold everything
 */
export function useWatch<Event, T>(
  name: string,
  open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>,
  reduce: (before: T | undefined, event: Event, first: boolean) => T,
): WatchState & { readonly data: T | undefined } {
  const { client, service } = useScope()
  const [state, setState] = useState<WatchState>({ following: false, failure: undefined })
  const { data } = useQuery<T>({ queryKey: [service, name], queryFn: skipToken })
  const startStream = useEffectEvent(open)
  const reduceNow = useEffectEvent(reduce)
  useEffect(() => {
    const left = new AbortController()
    void watch(
      {
        open: (signal) => startStream(signal),
        onEvent: (event, first) => {
          client.setQueryData<T>([service, name], (before) => reduceNow(before, event, first))
        },
        onState: (next) => {
          if (!left.signal.aborted) setState(next)
        },
      },
      left.signal,
    )
    return () => left.abort()
  }, [client, service, name])
  return { ...state, data }
}

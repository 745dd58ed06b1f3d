import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { asFailure, isAbort } from './failure.ts'

interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => Promise<void>
  readonly busy: boolean
  readonly failure: Failure | undefined
  readonly clear: () => void
}

/** One thing that a person asks for: running or not, and why it failed the last time. */
export function useAction<Args extends readonly unknown[] = []>(
  act: (...args: Args) => Promise<void>,
): Action<Args> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async (...args: Args) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await act(...args)
    } catch (thrown) {
      // An action that its caller canceled isn't a failure.
      if (!isAbort(thrown)) setFailure(asFailure(thrown))
    } finally {
      setBusy(false)
    }
  }
  const clear = useCallback(() => setFailure(undefined), [])
  return { run, busy, failure, clear }
}

/**
 * Returns a function that gives a signal for calls that might outlive the component. The signal aborts when the
 * component unmounts.
 */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])
  return useCallback(() => leaving.current?.signal ?? AbortSignal.abort(), [])
}

import { useCallback, useState } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { asFailure, isAbort } from './failure.ts'

interface Action<Given extends readonly unknown[]> {
  readonly run: (...given: Given) => Promise<void>
  readonly busy: boolean
  readonly failure: Failure | undefined
  readonly clear: () => void
}

/** One thing that a person asks for: running or not, and why it failed the last time. */
export function useAction<Given extends readonly unknown[] = []>(
  act: (...given: Given) => Promise<void>,
): Action<Given> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async (...given: Given) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await act(...given)
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

import { useCallback, useState } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { asFailure, isAbort } from './failure.ts'

interface Action {
  readonly run: () => Promise<void>
  readonly busy: boolean
  readonly failure: Failure | undefined
  readonly clear: () => void
}

/** One thing that a person asks for: running or not, and why it failed the last time. */
export function useAction(act: () => Promise<void>): Action {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async () => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
    } catch (thrown) {
      // What its owner took back is no failure.
      if (!isAbort(thrown)) setFailure(asFailure(thrown))
    } finally {
      setBusy(false)
    }
  }
  const clear = useCallback(() => setFailure(undefined), [])
  return { run, busy, failure, clear }
}

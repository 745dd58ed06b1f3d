import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { currentScope } from '../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedPart, type ScopedState } from '../data/use-answer.ts'
import { api } from './api.ts'
import { confirmable } from './confirmation-store.ts'
import { asFailure } from './failure.ts'
import { useStatus } from './status-store.ts'
import { useNow } from './use-now.ts'
import { verdictState, type VerdictState as VerdictNow } from './verdict-state.ts'

interface VerdictState {
  /** null before the first; undefined until it's loaded. */
  readonly verdict: Verdict | null | undefined
  readonly verifying: boolean
  readonly failure: Failure | undefined
  /** Whether `failure` is of the last load, so that the next answer removes it. */
  readonly unloaded: boolean
  /** The turn of the answer that is shown. An answer that was asked for earlier is discarded. */
  readonly turn: number
}

const scopedVerdict: ScopedState<VerdictState> = {
  key: ['verdict'],
  initial: { verdict: undefined, verifying: false, failure: undefined, unloaded: false, turn: 0 },
}

export function useVerdict<Part>(select: (state: VerdictState) => Part): Part {
  return useScopedPart(scopedVerdict, select)
}

/** The state of the verdict in force. It follows an expiry within 15 seconds. */
export function useVerdictState(): VerdictNow {
  const now = useNow(15_000)
  return useVerdict(({ verdict }) => verdictState(verdict, now))
}

export function readVerdict(): VerdictState {
  return readScopedState(currentScope(), scopedVerdict)
}

let turns = 0

export async function refreshVerdict(): Promise<void> {
  if (useStatus.getState().status?.vault.state !== 'open') return
  const scope = currentScope()
  const turn = ++turns
  const put = (change: (before: VerdictState) => Partial<VerdictState>) =>
    setScopedState(scope, scopedVerdict, (before) =>
      turn < before.turn ? before : { ...before, ...change(before) },
    )
  try {
    const verdict = await api.privacy.current()
    put(({ failure, unloaded }) => ({
      verdict,
      turn,
      failure: unloaded ? undefined : failure,
      unloaded: false,
    }))
  } catch (thrown) {
    put(() => ({ failure: asFailure(thrown), unloaded: true }))
  }
}

/** Verifies the enclave now. A refusal is a verdict; only what prevents a verdict is a failure. */
export function verifyNow(): Promise<void> {
  return verify(() => api.privacy.verify())
}

/** @param release as `releaseKey` names it */
export function acceptRelease(release: string): Promise<void> {
  return verify(() => confirmable((signal) => api.privacy.acceptRelease({ release }, { signal })))
}

async function verify(ask: () => Promise<Verdict>): Promise<void> {
  const scope = currentScope()
  if (readVerdict().verifying) return
  const put = (change: Partial<VerdictState>) =>
    setScopedState(scope, scopedVerdict, (before) => ({ ...before, ...change }))
  put({ verifying: true, failure: undefined, unloaded: false })
  try {
    const verdict = await ask()
    put({ verdict, verifying: false, turn: ++turns })
  } catch (thrown) {
    put({ failure: asFailure(thrown), unloaded: false, verifying: false })
  }
}

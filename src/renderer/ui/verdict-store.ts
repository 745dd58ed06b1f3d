import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { api } from './api.ts'
import { confirmable } from './confirmation-store.ts'
import { asFailure } from './failure.ts'
import { onServiceChange, useStatus } from './status-store.ts'

interface VerdictState {
  /** null before the first; undefined while it was not asked for. */
  readonly verdict: Verdict | null | undefined
  readonly verifying: boolean
  readonly failure: Failure | undefined
}

export const useVerdict = create<VerdictState>()(() => ({ verdict: undefined, verifying: false, failure: undefined }))

/** Questions in the order in which they were asked, and the last of which the answer is shown: one asked before it is answered too late. */
let asked = 0
let shown = 0
/** Whose verdicts are awaited: those on a service that was left meanwhile are let go. */
let era = 0

onServiceChange(() => {
  era++
  shown = ++asked
  useVerdict.setState({ verdict: undefined, verifying: false, failure: undefined })
  void refreshVerdict()
})

export async function refreshVerdict(): Promise<void> {
  if (useStatus.getState().status?.vault.state !== 'open') return
  const turn = ++asked
  try {
    const verdict = await api.privacy.current()
    if (turn < shown) return
    shown = turn
    useVerdict.setState({ verdict })
  } catch (thrown) {
    if (turn > shown) useVerdict.setState({ failure: asFailure(thrown) })
  }
}

/** Has the enclave prove itself now. A refusal is a verdict; only what kept the proof from being judged is a failure. */
export function verifyNow(): Promise<void> {
  return judge(() => api.privacy.verify())
}

/** @param release as `releaseKey` names it */
export function acceptRelease(release: string): Promise<void> {
  return judge(() => confirmable((signal) => api.privacy.acceptRelease({ release }, { signal })))
}

async function judge(ask: () => Promise<Verdict>): Promise<void> {
  if (useVerdict.getState().verifying) return
  const before = era
  useVerdict.setState({ verifying: true, failure: undefined })
  try {
    const verdict = await ask()
    if (before !== era) return
    shown = ++asked
    useVerdict.setState({ verdict, verifying: false })
  } catch (thrown) {
    if (before === era) useVerdict.setState({ failure: asFailure(thrown), verifying: false })
  }
}

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

onServiceChange(() => {
  useVerdict.setState({ verdict: undefined, failure: undefined })
  void refreshVerdict()
})

export async function refreshVerdict(): Promise<void> {
  if (useStatus.getState().status?.vault.state !== 'open') return
  try {
    useVerdict.setState({ verdict: await api.privacy.current() })
  } catch (thrown) {
    useVerdict.setState({ failure: asFailure(thrown) })
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
  useVerdict.setState({ verifying: true, failure: undefined })
  try {
    useVerdict.setState({ verdict: await ask(), verifying: false })
  } catch (thrown) {
    useVerdict.setState({ failure: asFailure(thrown), verifying: false })
  }
}

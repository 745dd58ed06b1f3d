import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { AnswerOrder } from './answer-order.ts'
import { api } from './api.ts'
import { confirmable } from './confirmation-store.ts'
import { asFailure } from './failure.ts'
import { onServiceChange, sameService, useStatus } from './status-store.ts'

interface VerdictState {
  /** null before the first; undefined while it was not asked for. */
  readonly verdict: Verdict | null | undefined
  readonly verifying: boolean
  readonly failure: Failure | undefined
}

export const useVerdict = create<VerdictState>()(() => ({
  verdict: undefined,
  verifying: false,
  failure: undefined,
}))

const order = new AnswerOrder()

onServiceChange(() => {
  order.show()
  useVerdict.setState({ verdict: undefined, verifying: false, failure: undefined })
  void refreshVerdict()
})

/** Why the last question was not answered: an answer takes it away, and not what else failed. */
let unanswered: Failure | undefined

export async function refreshVerdict(): Promise<void> {
  if (useStatus.getState().status?.vault.state !== 'open') return
  const turn = order.ask()
  try {
    const verdict = await api.privacy.current()
    if (order.show(turn))
      useVerdict.setState(({ failure }) => ({
        verdict,
        failure: failure === unanswered ? undefined : failure,
      }))
  } catch (thrown) {
    if (order.isLate(turn)) return
    unanswered = asFailure(thrown)
    useVerdict.setState({ failure: unanswered })
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
  const still = sameService()
  useVerdict.setState({ verifying: true, failure: undefined })
  try {
    const verdict = await ask()
    if (!still()) return
    order.show()
    useVerdict.setState({ verdict, verifying: false })
  } catch (thrown) {
    if (still()) useVerdict.setState({ failure: asFailure(thrown), verifying: false })
  }
}

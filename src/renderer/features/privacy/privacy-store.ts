import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { PrivacyChoices, TrustView } from '../../../shared/contract/privacy.ts'
import type { FreshEvidenceSource } from '../../../shared/fresh-evidence.ts'
import type { Pin } from '../../../shared/pin.ts'
import type { VerifiedEnclave } from '../../../shared/verified-enclave.ts'
import { AnswerOrder } from '../../ui/answer-order.ts'
import { api } from '../../ui/api.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { asFailure } from '../../ui/failure.ts'
import { refreshStatus, sameService } from '../../ui/status-store.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { saveProofFile } from './save-proof-file.ts'

/** What stands beside the verdict. Each part is undefined until it was fetched. */
interface PrivacyState {
  readonly history: readonly VerifiedEnclave[] | undefined
  readonly choices: PrivacyChoices | undefined
  readonly trust: TrustView | undefined
  readonly failure: Failure | undefined
}

const nothing: PrivacyState = { history: undefined, choices: undefined, trust: undefined, failure: undefined }
export const usePrivacy = create<PrivacyState>()(() => nothing)

let asked = 0
const choicesOrder = new AnswerOrder()

/** @param anew another service: what was known is of the one before */
export async function refreshPrivacy(anew = false): Promise<void> {
  const mine = ++asked
  const turn = choicesOrder.ask()
  if (anew) usePrivacy.setState(nothing)
  try {
    const [history, choices, trust] = await Promise.all([
      api.privacy.history(),
      api.privacy.choices(),
      api.privacy.trust(),
    ])
    if (mine !== asked) return
    usePrivacy.setState({ history, trust, failure: undefined, ...(choicesOrder.show(turn) && { choices }) })
  } catch (thrown) {
    if (mine === asked) usePrivacy.setState({ failure: asFailure(thrown) })
  }
}

export function setAskBeforeNewRelease(on: boolean): Promise<void> {
  return choose((signal) => api.privacy.setAskBeforeNewRelease({ on }, { signal }))
}

/** The composer follows, because the status has whether the person chose. */
export async function setFreshEvidence(from: FreshEvidenceSource): Promise<void> {
  await choose((signal) => api.privacy.setFreshEvidence({ from }, { signal }))
  await refreshStatus()
}

/** @param accepted the provider's firmware floors apply instead of the policy's */
export function setProviderFloors(accepted: boolean): Promise<void> {
  return choose((signal) => api.privacy.setProviderFloors({ accepted }, { signal }))
}

export function pin(enclaveId: string): Promise<void> {
  return choose((signal) => api.privacy.pin({ enclaveId }, { signal }))
}

export function unpin(taken: Pin): Promise<void> {
  return choose((signal) => api.privacy.unpin({ pin: taken }, { signal }))
}

async function choose(act: (signal: AbortSignal) => Promise<PrivacyChoices>): Promise<void> {
  const still = sameService()
  const choices = await confirmable(act)
  if (!still()) return
  choicesOrder.show()
  usePrivacy.setState({ choices })
  // The verdict was ended by it: judged anew, it says what the choice comes to.
  if (useVerdict.getState().verdict) await verifyNow()
}

/** Of the last verdict, or of a line of the change log. */
export async function saveProof(enclaveId?: string): Promise<void> {
  const proof = await api.privacy.proof(enclaveId === undefined ? {} : { enclaveId })
  const host = typeof proof.policy['enclaveHost'] === 'string' ? proof.policy['enclaveHost'] : 'enclave'
  saveProofFile(proof, host)
}

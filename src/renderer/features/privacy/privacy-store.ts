import type { PrivacyChoices, TrustView } from '../../../shared/contract/privacy.ts'
import type { FreshEvidenceSource } from '../../../shared/fresh-evidence.ts'
import type { Pin } from '../../../shared/pin.ts'
import type { VerifiedEnclave } from '../../../shared/verified-enclave.ts'
import { currentScope, type Scope } from '../../data/service-scope.tsx'
import { refreshAnswers, useAnswer, writeAnswer, type Answer, type Question } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { refreshStatus } from '../../ui/status-store.ts'
import { readVerdict, verifyNow } from '../../ui/verdict-store.ts'
import type { Proof } from '../../../shared/proof.ts'
import { saveText } from '../../ui/save-file.ts'

/**
 * Saves a proof in the form in which Sotto can read it again. `host` can't put path characters into the file's name.
 */
export function saveProofFile(proof: Proof, host: string): void {
  saveText(
    `sotto-proof-${host.replace(/[^a-z0-9.-]/gi, '')}-${proof.savedAt.replace(/[:.]/g, '-')}.json`,
    'application/json',
    `${JSON.stringify(proof, null, 2)}\n`,
  )
}

/** Data of the view in addition to the verdict. */
interface PrivacyView {
  /** The last seen first. */
  readonly history: readonly VerifiedEnclave[]
  readonly choices: PrivacyChoices
  readonly trust: TrustView
}

const privacyQuestion: Question<PrivacyView> = {
  key: ['privacy'],
  ask: async (context) => {
    const [history, choices, trust] = await Promise.all([
      api.privacy.history(undefined, context),
      api.privacy.choices(undefined, context),
      api.privacy.trust(undefined, context),
    ])
    return { history, choices, trust }
  },
}

/** @param again loads it again when the component mounts */
export function usePrivacy(again = false): Answer<PrivacyView> {
  return useAnswer(privacyQuestion, { once: !again })
}

export function refreshPrivacy(scope: Scope): Promise<void> {
  return refreshAnswers(scope, privacyQuestion.key)
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

export function unpin(removedPin: Pin): Promise<void> {
  return choose((signal) => api.privacy.unpin({ pin: removedPin }, { signal }))
}

async function choose(act: (signal: AbortSignal) => Promise<PrivacyChoices>): Promise<void> {
  const scope = currentScope()
  const choices = await confirmable(act)
  writeAnswer(scope, privacyQuestion, (before) => before && { ...before, choices })
  if (scope !== currentScope()) return
  // The choice ended the verdict. The next verdict shows its effect, and has the view loaded again.
  if (readVerdict().verdict) await verifyNow()
  else await refreshPrivacy(scope)
}

/** Saves the proof of the last verdict, or of a line of the change log. */
export async function saveProof(enclaveId?: string): Promise<void> {
  const proof = await api.privacy.proof(enclaveId === undefined ? {} : { enclaveId })
  const host = typeof proof.policy['enclaveHost'] === 'string' ? proof.policy['enclaveHost'] : 'enclave'
  saveProofFile(proof, host)
}

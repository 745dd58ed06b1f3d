import { knownAnswersHold, trustRoots, verifyEvidence, type SavedEvidence } from '../core/core.ts'
import { SottoError } from '../shared/errors.ts'
import type { AttestationPolicy } from '../shared/policy/attestation-policy.ts'
import type { TrustRoot } from '../shared/proof.ts'
import type { Verdict } from '../shared/verdict.ts'
import { builtInTrust } from './resources.ts'

export interface SavedJudgement {
  /** By this machine's clock. */
  readonly now: Verdict
  /** What it was, or will be, worth at the time that was asked for: a verdict that nothing is sent by. */
  readonly asOf?: Verdict
  /** What it was judged by. */
  readonly roots: readonly TrustRoot[]
}

/**
 * Judges saved evidence under the built-in roots, which nobody hands in. A time may be asked for, and is answered beside the verdict
 * on now and never instead of it. Throws channel/crypto-unavailable where this machine's verifier does not give its known answers.
 *
 * @param asOf Unix ms
 */
export async function judgeSavedEvidence({ evidence, nonce }: Pick<SavedEvidence, 'evidence' | 'nonce'>, policy: AttestationPolicy, asOf?: number): Promise<SavedJudgement> {
  if (!await knownAnswersHold(policy)) throw new SottoError('channel/crypto-unavailable')
  const trust = await builtInTrust()
  const judge = (time: number): Verdict => verifyEvidence(evidence, trust, policy, time, nonce)
  return { now: judge(Date.now()), ...(asOf !== undefined && { asOf: judge(asOf) }), roots: trustRoots(trust) }
}

import { assessEvidence, knownAnswersHold, trustRoots, type SavedEvidence } from '../core/core.ts'
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
 * Judges saved evidence, and the collateral saved with it, under the built-in roots; the caller can't choose them. If a time is given, the
 * verdict as of that time is added to the one as of now. Throws channel/crypto-unavailable if this machine's verifier doesn't give its known answers.
 *
 * @param asOf Unix ms
 */
export async function judgeSavedEvidence(saved: Pick<SavedEvidence, 'evidence' | 'nonce' | 'fresh' | 'collateral'>, policy: AttestationPolicy, asOf?: number): Promise<SavedJudgement> {
  if (!await knownAnswersHold(policy)) throw new SottoError('channel/crypto-unavailable')
  const trust = await builtInTrust()
  const { evidence, nonce, fresh, collateral: known } = saved
  const judge = (now: number, rules: AttestationPolicy): Verdict => assessEvidence({
    evidence, trust, policy: rules, now, ...(nonce && { nonce }), ...(fresh && { fresh }), ...(known && { known }),
  }).verdict
  return { now: judge(Date.now(), policy), ...(asOf !== undefined && { asOf: judge(asOf, policyAt(policy, asOf)) }), roots: trustRoots(trust) }
}

/** The minimum log time belongs to this version of Sotto: nothing could meet it at an earlier time. */
function policyAt({ minimumLogTime, ...others }: AttestationPolicy, time: number): AttestationPolicy {
  return minimumLogTime === undefined || time < Date.parse(minimumLogTime) ? others : { ...others, minimumLogTime }
}

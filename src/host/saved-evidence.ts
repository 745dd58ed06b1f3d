import {
  assessDirect,
  assessEvidence,
  assessServiceEnclave,
  knownAnswersHold,
  knownAnswersOf,
  trustRoots,
  type SavedEvidence,
} from '../core/core.ts'
import { directEnclaves, isDirect } from '../shared/direct.ts'
import { SottoError } from '../shared/errors.ts'
import type { AttestationPolicy } from '../shared/policy/attestation-policy.ts'
import type { Profile } from '../shared/profile.ts'
import type { TrustRoot } from '../shared/proof.ts'
import type { Verdict } from '../shared/verdict.ts'
import { builtInTrust } from './resources.ts'

export { readSavedEvidence } from '../core/core.ts'

export interface SavedVerification {
  /** The verdict by this computer's clock. */
  readonly now: Verdict
  /** The verdict as of the requested time. No request is sent because of it. */
  readonly asOf?: Verdict
  /** The roots of the verification. */
  readonly roots: readonly TrustRoot[]
}

/**
 * Verifies saved evidence, and the collateral saved with it, under the built-in roots; the caller can't
 * choose them. If a time is given, the verdict as of that time is added to the one as of now. The accepted
 * images of the service's own enclave are the person's choice, so its proof is verified with those of the
 * file. Throws channel/crypto-unavailable if this computer's verifier fails its known answers, and
 * policy/missing if the profile has no rules for the evidence.
 *
 * @param profile of a preset
 * @param asOf Unix ms
 */
export async function verifySavedEvidence(
  saved: SavedEvidence,
  profile: Pick<Profile, 'policy' | 'serviceEnclave' | 'direct' | 'baseUrl'>,
  asOf?: number,
): Promise<SavedVerification> {
  const verify = await (saved.images ? relayedVerifier(saved, profile) : privateVerifier(saved, profile))
  return {
    now: verify(Date.now(), false),
    ...(asOf !== undefined && { asOf: verify(asOf, true) }),
    roots: trustRoots(await builtInTrust()),
  }
}

/** @param asked a time that the person asked for, and not this computer's */
type Verify = (now: number, asked: boolean) => Verdict
type Saved = SavedEvidence

/**
 * The policy of a profile that a file is judged by. A direct profile has several enclaves: the file names the one that it is of, and the
 * profile has the rules for it.
 */
export function policyFor(
  { proof }: Pick<SavedEvidence, 'proof'>,
  profile: Pick<Profile, 'policy' | 'direct' | 'baseUrl'>,
): AttestationPolicy | undefined {
  return (
    directEnclaves(profile).find(({ policy }) => policy.enclaveHost === proof?.policy['enclaveHost'])
      ?.policy ?? profile.policy
  )
}

async function privateVerifier(
  saved: Saved,
  profile: Pick<Profile, 'policy' | 'direct' | 'baseUrl'>,
): Promise<Verify> {
  const { evidence, nonce, fresh, collateral: known } = saved
  const policy = policyFor(saved, profile)
  if (!policy) throw new SottoError('policy/missing')
  if (!(await knownAnswersHold(policy))) throw new SottoError('channel/crypto-unavailable')
  const trust = await builtInTrust()
  if (isDirect(profile)) {
    // Without the nonce of the file, the evidence answers no question of Sotto's, so the verdict is
    // refused.
    return (now, asked) =>
      assessDirect({
        evidence,
        nonce: nonce ?? new Uint8Array(),
        trust,
        policy: asked ? policyAt(policy, now) : policy,
        now,
        ...(known && { known }),
      }).verdict
  }
  return (now, asked) =>
    assessEvidence({
      evidence,
      trust,
      policy: asked ? policyAt(policy, now) : policy,
      now,
      ...(nonce && { nonce }),
      ...(fresh && { fresh }),
      ...(known && { known }),
    }).verdict
}

async function relayedVerifier(
  { evidence: answer, nonce = new Uint8Array(), images }: Saved,
  { serviceEnclave }: Pick<Profile, 'serviceEnclave'>,
): Promise<Verify> {
  if (!serviceEnclave || !images) throw new SottoError('policy/missing')
  if (!(await knownAnswersOf('nitro'))) throw new SottoError('channel/crypto-unavailable')
  const trust = await builtInTrust()
  return (now) =>
    assessServiceEnclave({
      answer,
      nonce,
      trust,
      enclaveHost: new URL(serviceEnclave.baseUrl).host,
      images,
      now,
    }).verdict
}

/** The minimum log time belongs to this version of Sotto: nothing could meet it at an earlier time. */
function policyAt({ minimumLogTime, ...others }: AttestationPolicy, time: number): AttestationPolicy {
  return minimumLogTime === undefined || time < Date.parse(minimumLogTime)
    ? others
    : { ...others, minimumLogTime }
}

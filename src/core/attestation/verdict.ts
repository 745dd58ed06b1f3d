import { hash } from 'node:crypto'
import { attestationCodes } from '../../shared/attestation-codes.ts'
import { platforms, type AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import { hasAcceptedFloor } from '../../shared/policy/provider-floor.ts'
import type { TrustSet } from '../../shared/trust.ts'
import { trustedRootIsStale } from '../../shared/trusted-root-age.ts'
import { verdictNotices, type Verdict, type VerdictNoticeCode } from '../../shared/verdict.ts'
import { notReached, runStage, type StageResult } from './checklist.ts'
import { documentPlan, readDocument } from './document.ts'
import { hasRoot, judgeEvidence, planOf, type Circumstances, type Findings } from './judgement.ts'
import { fingerprint, namedRegisters } from './measurement.ts'
import { toHex } from './words.ts'

/** A verdict lasts this long at most. */
const MAX_VALIDITY_MS = 60 * 60_000

/**
 * Judges a v2 evidence bundle: hardware, keys, release, code and names, in the order of `planOf` for its platform. The first failure
 * ends it, and every later step is listed as not reached. Pure: the same bytes, roots, policy and time give the same verdict. Never throws.
 *
 * Who issued the enclave's TLS certificate is not verified: the hardware attests its key, and the step is `not-checked`. So anyone who
 * has that key's certificate can issue another for it, with other dates and names. They can refuse or shorten a verdict, and nothing
 * that the verdict states comes from them. Of the three platforms only Nitro's evidence holds a nonce: a genuine report or quote can be
 * replayed for as long as its certificates last.
 *
 * @param evidence the bundle as received: hostile
 * @param now Unix ms
 * @param nonce what the evidence was asked for with; none where it was saved earlier
 */
export function verifyEvidence(evidence: Uint8Array, trust: TrustSet, policy: AttestationPolicy, now: number, nonce?: Uint8Array): Verdict {
  const circumstances: Circumstances = { trust, policy, now, ...(nonce && { nonce }) }
  const accepted = platforms.filter((platform) => policy[platform] !== undefined && hasRoot(trust, platform))
  const read = runStage(documentPlan, (checks) => readDocument(checks, evidence, accepted))
  // What cannot be read is listed with the steps of the first platform that it might have been of.
  const platform = read.good ? read.value.platform : accepted[0] ?? platforms.find((candidate) => policy[candidate]) ?? 'sevSnp'
  const plan = planOf(platform, circumstances)
  const findings: Findings = {}
  const judged: StageResult<void> = read.good
    ? runStage(plan, (checks) => judgeEvidence(checks, findings, read.value, circumstances))
    : { good: false, steps: notReached(plan), failure: read.failure }
  const steps = [...read.steps, ...judged.steps]
  const good = judged.good && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  return {
    good,
    steps,
    ...(!judged.good && { failure: { ...judged.failure, says: attestationCodes[judged.failure.code] } }),
    trust: trust.name,
    enclaveHost: policy.enclaveHost,
    ...describe(findings),
    verifiedAt: now,
    validUntil: good ? validUntil(findings, now) : now,
    ...noticesOf(circumstances, good && findings.belowExpectedTcb === true),
    evidenceDigest: hash('sha256', evidence, 'hex'),
  }
}

/** A lowered floor is part of each verdict under the policy, also of a refused one and of another platform's. */
function noticesOf({ trust, policy, now }: Circumstances, belowExpectedTcb: boolean): Pick<Verdict, 'notices'> {
  const { sigstoreTrustedRootPublished: published } = trust
  const codes: VerdictNoticeCode[] = [
    ...(hasAcceptedFloor(policy) ? ['policy/provider-floor-accepted' as const] : []),
    ...(belowExpectedTcb ? ['report/tcb-below-expected' as const] : []),
    ...(published !== undefined && trustedRootIsStale(published, now) ? ['trust/sigstore-root-stale' as const] : []),
  ]
  return codes.length === 0 ? {} : { notices: codes.map((code) => ({ code, says: verdictNotices[code] })) }
}

/** The facts of a verdict. Each is signed: the parameter's type takes nothing else. A later failure doesn't remove them. */
function describe({ hardware, keys, release }: { readonly [fact in 'hardware' | 'keys' | 'release']?: Findings[fact] }): Partial<Verdict> {
  return {
    ...hardware?.map(({ platform, measurement }) => ({ platform, measurement: fingerprint(measurement), registers: namedRegisters(measurement) })).value,
    ...keys?.map(({ hpkePublicKey, tlsKeyFingerprint }) => ({ hpkePublicKey: toHex(hpkePublicKey), tlsKeyFingerprint: toHex(tlsKeyFingerprint) })).value,
    ...release?.map(({ repository, tag, commit, digest, logTime }) => ({ release: { repository, tag, commit, digest, loggedAt: logTime } })).value,
    ...(hardware && freshnessOf(hardware, release)),
  }
}

function freshnessOf(hardware: NonNullable<Findings['hardware']>, release: Findings['release']): Pick<Verdict, 'freshness'> {
  const { nonceBound, signedAt } = hardware.value
  if (nonceBound) return { freshness: { kind: 'nonce-bound' } }
  if (signedAt !== undefined) return { freshness: { kind: 'signed-at', signedTime: signedAt } }
  return release ? { freshness: { kind: 'at-least-as-new-as', logTime: release.value.logTime } } : {}
}

/** The certificate's claimed end can only make this earlier. */
function validUntil({ hardware, certificate }: Findings, now: number): number {
  return Math.min(now + MAX_VALIDITY_MS, hardware?.value.notAfter ?? now, certificate?.notAfter ?? now)
}

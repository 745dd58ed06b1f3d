import { hash } from 'node:crypto'
import { attestationCodes } from './codes.ts'
import {
  trustedRootIsStale,
  type CollateralRecord,
  type TrustSet,
  type Verdict,
  type VerdictStep,
} from './contract.ts'
import { hasAcceptedFloor, platforms, type AttestationPolicy } from './policy.ts'
import { msg, type LocalizedText } from './message.ts'
import { verdictNotices, type VerdictNoticeCode } from './codes/notices.ts'
import { documentSteps } from './document.ts'
import { hasRoot, stepsOf, verifyDocument, type VerificationInput } from './evidence-steps.ts'
import { fingerprint, namedRegisters } from './measurement.ts'
import { SeenCollateral } from './seen-collateral.ts'
import { fail, notChecked, Steps, type Authenticated, type Failure, type Finding } from './steps.ts'
import { documentName, v3Steps, type FreshEvidence } from './v3/index.ts'
import type { VerificationResult } from './verification-result.ts'
import { toHex } from './text.ts'

/** A verdict lasts this long at most. */
export const MAX_VALIDITY_MS = 60 * 60_000

/** An attestation document v3 with the nonce that it was asked for with, or why there is none. */
export type FreshAnswer =
  | { readonly document: Uint8Array; readonly nonce: Uint8Array }
  | { readonly absent: 'off' | 'unreachable' | 'not-relayed' | 'not-saved' }

/**
 * Verifies a v2 evidence bundle: hardware, keys, release, code and names, in the order of
 * `evidence-steps.ts`. The first failure ends it, and every later step is listed as not reached. Pure: the
 * same bytes, roots, policy and time give the same verdict. Never throws.
 *
 * Who issued the enclave's TLS certificate is not verified: the hardware attests its key, and the step is
 * `not-checked`. So anyone who has that key's certificate can issue another for it, with other dates and
 * names. They can refuse or shorten a verdict, and nothing that the verdict states comes from them. Of the
 * three platforms only Nitro's evidence holds a nonce: a genuine report or quote can be replayed for as long
 * as its certificates last. The fresh answer, document v3, closes that gap where the policy has rules for it.
 *
 * @param evidence the bundle as received: hostile
 * @param now Unix ms
 * @param nonce what the evidence was asked for with; none where it was saved earlier
 * @param known the newest statements of vendors that were seen before
 */
export function verifyEvidence(
  evidence: Uint8Array,
  trust: TrustSet,
  policy: AttestationPolicy,
  now: number,
  nonce?: Uint8Array,
  known?: readonly CollateralRecord[],
): Verdict {
  return assessEvidence({ evidence, trust, policy, now, ...(nonce && { nonce }), ...(known && { known }) })
    .verdict
}

export interface EvidenceInput extends Omit<VerificationInput, 'seen'> {
  readonly evidence: Uint8Array
  readonly known?: readonly CollateralRecord[]
  /** Verified with the bundle: a bad one refuses the verdict, and a missing one does if the policy requires it. */
  readonly fresh?: FreshAnswer
}

export interface Assessment {
  readonly verdict: Verdict
  /** The newest statements of AMD or Intel that the verdict came from, to be remembered whether it is good or not. */
  readonly collateral: readonly CollateralRecord[]
  /**
   * For a chip that AMD certified: its product, and when the revocation list in force ends (Unix ms), if
   * there is one.
   */
  readonly amdList?: NonNullable<VerificationResult['amdList']>
}

/**
 * Verifies as `verifyEvidence` does, with fresh evidence if there is some, and also returns which statements
 * of vendors the verdict came from.
 */
export function assessEvidence({
  evidence,
  trust,
  policy,
  now,
  nonce,
  known = [],
  fresh = { absent: 'not-saved' },
}: EvidenceInput): Assessment {
  const seen = new SeenCollateral(known)
  const input: VerificationInput = { trust, policy, now, seen, ...(nonce && { nonce }) }
  const accepted = platforms.filter((platform) => policy[platform] !== undefined && hasRoot(trust, platform))
  const reading = documentSteps.verify({ evidence, accepted })
  // Evidence that can't be read is listed with the steps of the first platform that it might be of.
  const platform = reading.good
    ? reading.value.document.platform
    : (accepted[0] ?? platforms.find((candidate) => policy[candidate]) ?? 'sevSnp')
  const result = reading.good
    ? verifyDocument(reading.value.document, input)
    : { ...reading, steps: stepsOf(platform, input).notReached() }
  const { facts } = result
  const freshly =
    platform === 'nitro' ? NOTHING_FRESH : verifyFresh(fresh, result.good ? facts : undefined, input)
  const steps = [...reading.steps, ...result.steps, ...freshly.steps]
  const failure = result.good ? freshly.failure : result.failure
  const good =
    failure === undefined && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const verdict: Verdict = {
    good,
    steps,
    ...(failure && { failure: { ...failure, says: attestationCodes[failure.code] } }),
    trust: trust.name,
    enclaveHost: policy.enclaveHost,
    ...describe(facts),
    ...describeFresh(freshly.evidence),
    verifiedAt: now,
    validUntil: good ? validUntil(facts, freshly.evidence, now) : now,
    ...noticesOf(input, {
      belowExpectedTcb: good && facts.belowExpectedTcb === true,
      unreachable: good && 'absent' in fresh && fresh.absent === 'unreachable',
    }),
    evidenceDigest: hash('sha256', evidence, 'hex'),
  }
  return { verdict, collateral: seen.used(), ...(facts.amdList && { amdList: facts.amdList }) }
}

/**
 * Notices of a verdict. A lowered floor is part of each verdict under the policy, also of a refused one and
 * of another platform's.
 */
export function noticesOf(
  { trust, policy, now }: Pick<VerificationInput, 'trust' | 'policy' | 'now'>,
  { belowExpectedTcb, unreachable }: { readonly belowExpectedTcb: boolean; readonly unreachable: boolean },
): Pick<Verdict, 'notices'> {
  const { sigstoreTrustedRootPublished: published } = trust
  const codes: VerdictNoticeCode[] = [
    ...(hasAcceptedFloor(policy) ? ['policy/provider-floor-accepted' as const] : []),
    ...(unreachable ? ['fresh/unreachable' as const] : []),
    ...(belowExpectedTcb ? ['report/tcb-below-expected' as const] : []),
    ...(published !== undefined && trustedRootIsStale(published, now)
      ? ['trust/sigstore-root-stale' as const]
      : []),
  ]
  return codes.length === 0 ? {} : { notices: codes.map((code) => ({ code, says: verdictNotices[code] })) }
}

/**
 * The facts of a verdict. Each is signed: the parameter's type takes nothing else. A later failure doesn't
 * remove them.
 */
export function describe({
  hardware,
  keys,
  release,
}: { readonly [fact in 'hardware' | 'keys' | 'release']?: VerificationResult[fact] }): Partial<Verdict> {
  return {
    ...hardware?.map(({ platform, measurement }) => ({
      platform,
      measurement: fingerprint(measurement),
      registers: namedRegisters(measurement),
    })).value,
    ...keys?.map(({ hpkePublicKey, tlsKeyFingerprint }) => ({
      hpkePublicKey: toHex(hpkePublicKey),
      tlsKeyFingerprint: toHex(tlsKeyFingerprint),
    })).value,
    ...release?.map(({ repository, tag, commit, digest, logTime }) => ({
      release: { repository, tag, commit, digest, loggedAt: logTime },
    })).value,
    ...(hardware && freshnessOf(hardware, release)),
  }
}

function freshnessOf(
  hardware: NonNullable<VerificationResult['hardware']>,
  release: VerificationResult['release'],
): Pick<Verdict, 'freshness'> {
  const { nonceBound, signedAt } = hardware.value
  if (nonceBound) return { freshness: { kind: 'nonce-bound' } }
  if (signedAt !== undefined) return { freshness: { kind: 'signed-at', signedTime: signedAt } }
  return release ? { freshness: { kind: 'at-least-as-new-as', logTime: release.value.logTime } } : {}
}

/** The certificate's claimed end can only make this earlier. */
function validUntil(
  { hardware, certificate }: VerificationResult,
  fresh: Fresh['evidence'],
  now: number,
): number {
  return Math.min(
    now + MAX_VALIDITY_MS,
    hardware?.value.notAfter ?? now,
    certificate?.notAfter ?? now,
    fresh?.value.notAfter ?? Infinity,
  )
}

interface Fresh {
  readonly steps: readonly VerdictStep[]
  readonly failure?: Failure
  readonly evidence?: Authenticated<FreshEvidence>
}

/** Nitro's evidence has the nonce in it, and a policy without rules for document v3 asks for none. */
const NOTHING_FRESH: Fresh = { steps: [] }

/** @param facts of the bundle; undefined if it was refused */
function verifyFresh(
  fresh: FreshAnswer,
  facts: VerificationResult | undefined,
  { trust, policy, seen, now }: VerificationInput,
): Fresh {
  if (!policy.nonceBound) return NOTHING_FRESH
  if ('absent' in fresh) {
    const list = absentSteps(fresh.absent, policy.nonceBound.required)
    if (!facts) return { steps: list.notReached() }
    const result = list.verify({})
    return result.good ? { steps: result.steps } : { steps: result.steps, failure: result.failure }
  }
  const { keys, release } = facts ?? {}
  if (!keys || !release) return { steps: v3Steps.notReached() }
  const result = v3Steps.verify({
    ...fresh,
    trust,
    policy,
    seen,
    now,
    relayed: { keys: keys.value, release: release.value },
  })
  return result.good
    ? { steps: result.steps, evidence: result.value.fresh }
    : { steps: result.steps, failure: result.failure }
}

const absences: Readonly<
  Record<Extract<FreshAnswer, { readonly absent: unknown }>['absent'], LocalizedText>
> = {
  off: msg('fresh evidence is off in Settings'),
  unreachable: msg('the enclave’s server didn’t answer'),
  'not-relayed': msg('the service doesn’t pass it on'),
  'not-saved': msg('the file contains none'),
}

/** The only step if there is no document. */
const absentSteps = (absent: keyof typeof absences, required: boolean) =>
  Steps.of<object>().add({
    ...documentName,
    required,
    run(): Finding {
      const expected = msg('evidence that was created for this check')
      return required
        ? fail('freshness/unavailable', expected, absences[absent])
        : notChecked(expected, absences[absent])
    },
  })

/** The facts that only document v3 proves. */
export function describeFresh(fresh: Fresh['evidence']): Partial<Verdict> {
  return fresh?.map(({ machine }) => ({ freshness: { kind: 'nonce-bound' } as const, machine })).value ?? {}
}

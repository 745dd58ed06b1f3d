import { hash } from 'node:crypto'
import { attestationCodes } from './codes.ts'
import type { CollateralRecord, TrustSet, Verdict } from './contract.ts'
import type { AttestationPolicy } from './policy.ts'
import { msg } from './message.ts'
import { ageSteps, pinSteps } from './release-checks.ts'
import { SeenCollateral } from './seen-collateral.ts'
import { notChecked, Steps, type Authenticated } from './steps.ts'
import { directV3Steps, type FreshEvidence, type V3Input } from './v3/index.ts'
import { describe, describeFresh, MAX_VALIDITY_MS, noticesOf, type Assessment } from './verdict.ts'
import type { VerificationResult } from './verification-result.ts'
import { toHex } from './text.ts'

export interface DirectInput {
  /** The document v3 as received: hostile. */
  readonly evidence: Uint8Array
  /** Our own copy of the nonce, 32 bytes. */
  readonly nonce: Uint8Array
  readonly trust: TrustSet
  /** With rules for document v3. Without them every document is refused. */
  readonly policy: AttestationPolicy
  /** Unix ms. */
  readonly now: number
  /** The newest statements of vendors that were seen before. */
  readonly known?: readonly CollateralRecord[]
}

/** Every step of fresh evidence, the minimum log time and the user's pins. */
const directSteps = (policy: AttestationPolicy) =>
  Steps.of<V3Input>()
    .append(directV3Steps)
    .note(({ fresh }) => ({ fresh }))
    .include(
      ageSteps(policy),
      ({ fresh }) => ({ provenance: fresh.value.release }),
      () => ({}),
    )
    .include(
      pinSteps(policy),
      ({ fresh: { value } }) => ({
        platform: value.platform,
        measurement: value.measurement,
        provenance: value.release,
      }),
      () => ({}),
    )
    .add({
      id: 'tls/connection',
      title: 'Connection ends at the attested TLS key',
      required: false,
      // Evidence may come over any connection, because its signature binds it. The key is compared when a request is sent.
      run: ({ fresh }) =>
        notChecked(
          toHex(fresh.value.keys.tlsKeyFingerprint),
          msg('compared on each connection before a request is sent'),
        ),
    })

/**
 * Verifies an enclave that is reached without a service: its document v3 is all the evidence. Every step of fresh evidence applies,
 * except the comparison with a service's evidence. The minimum log time and the user's pins apply too. The first failure ends it, and every
 * later step is listed as not reached. Pure; never throws.
 *
 * @returns the verdict, valid for one hour at most and never beyond seven days after the earlier witness
 */
export function assessDirect({ evidence, nonce, trust, policy, now, known = [] }: DirectInput): Assessment {
  const seen = new SeenCollateral(known)
  const result = directSteps(policy).verify({ document: evidence, nonce, trust, policy, seen, now })
  const steps = [...result.steps]
  const good = result.good && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const { fresh: proven } = result.facts
  const verdict: Verdict = {
    good,
    steps,
    ...(!result.good && { failure: { ...result.failure, says: attestationCodes[result.failure.code] } }),
    trust: trust.name,
    enclaveHost: policy.enclaveHost,
    ...(proven && describe(factsOf(proven))),
    ...describeFresh(proven),
    verifiedAt: now,
    validUntil: good && proven ? Math.min(now + MAX_VALIDITY_MS, proven.value.notAfter) : now,
    ...noticesOf(
      { trust, policy, now },
      { belowExpectedTcb: good && proven?.value.belowExpectedTcb === true, unreachable: false },
    ),
    evidenceDigest: hash('sha256', evidence, 'hex'),
  }
  return { verdict, collateral: seen.used() }
}

/** The facts in the form that verdicts of document v2 have. */
function factsOf(fresh: Authenticated<FreshEvidence>): VerificationResult {
  return {
    hardware: fresh.map(({ platform, measurement, notAfter }) => ({
      platform: platform === 'tdx' ? 'Intel TDX' : 'AMD SEV-SNP',
      measurement,
      notAfter,
      nonceBound: true,
    })),
    keys: fresh.map(({ keys }) => keys),
    release: fresh.map(({ release }) => release),
  }
}

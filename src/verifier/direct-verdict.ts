import { hash } from 'node:crypto'
import { attestationCodes } from './codes.ts'
import type { CollateralRecord, TrustSet, Verdict } from './contract.ts'
import type { AttestationPolicy } from './policy.ts'
import { msg } from './message.ts'
import type { Authenticated } from './authenticated.ts'
import { notReached, runStage, type PlannedStep } from './checklist.ts'
import type { Findings } from './verification.ts'
import { checkPins, pinPlan } from './measurement-checks.ts'
import { agePlan, checkAge } from './release-age.ts'
import { SeenCollateral } from './seen-collateral.ts'
import { verifyV3, type FreshEvidence } from './v3/index.ts'
import { describe, describeFresh, MAX_VALIDITY_MS, noticesOf, type Assessment } from './verdict.ts'
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

/**
 * Evidence may come over any connection, because its signature binds it. The key is compared when a request is sent, so a verdict never
 * counts this step as passed.
 */
const connection = {
  id: 'tls/connection',
  title: 'Connection ends at the attested TLS key',
  required: false,
} as const satisfies PlannedStep

/**
 * Verifies an enclave that is reached without a service: its document v3 is all the evidence. Every step of fresh evidence applies, but
 * for the comparison with a service's evidence. The minimum log time and the user's pins apply too. The first failure ends it, and every
 * later step is listed as not reached. Pure; never throws.
 *
 * @returns the verdict, valid for one hour at most and never beyond seven days after the earlier witness
 */
export function assessDirect({ evidence, nonce, trust, policy, now, known = [] }: DirectInput): Assessment {
  const seen = new SeenCollateral(known)
  const fresh = verifyV3({ document: evidence, nonce, trust, policy, seen, now })
  const plan = [...agePlan(policy), ...pinPlan(policy), connection]
  const rules = fresh.good
    ? runStage(plan, (checks) => {
        const { release, platform, measurement, keys } = fresh.value.value
        checkAge(checks, release, policy)
        checkPins(checks, platform, measurement, release, policy)
        checks.notChecked(
          connection.id,
          toHex(keys.tlsKeyFingerprint),
          msg('compared on each connection before a request is sent'),
        )
      })
    : { good: false as const, steps: notReached(plan), failure: fresh.failure }
  const steps = [...fresh.steps, ...rules.steps]
  const good = rules.good && steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const proven = fresh.good ? fresh.value : undefined
  const verdict: Verdict = {
    good,
    steps,
    ...(!rules.good && { failure: { ...rules.failure, says: attestationCodes[rules.failure.code] } }),
    trust: trust.name,
    enclaveHost: policy.enclaveHost,
    ...(proven && describe(findingsOf(proven))),
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
function findingsOf(fresh: Authenticated<FreshEvidence>): Findings {
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

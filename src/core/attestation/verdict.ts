import { createHash } from 'node:crypto'
import { attestationCodes } from '../../shared/attestation-codes.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { TrustSet } from '../../shared/trust.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { runStage, type Checklist, type PlannedStep } from './checklist.ts'
import { documentPlan, readDocument } from './document.ts'
import { checkKeyBinding, checkNames, keyPlan, namePlan } from './enclave-certificate.ts'
import { checkMeasurement, measurementPlan } from './measurement.ts'
import { attestedKeys } from './report-data.ts'
import { authenticateReport, checkGuest, sevPlan, type SevEvidence } from './sev-snp/index.ts'
import { sigstorePlan, verifySigstoreBundle, type Provenance } from './sigstore/index.ts'
import { toHex } from './words.ts'
import type { Certificate } from './x509/index.ts'

/** A verdict lasts this long at most. */
const MAX_VALIDITY_MS = 60 * 60_000

/** What was established before the first failure. */
interface Findings {
  /** The report, once the chip's signature held. */
  hardware?: SevEvidence
  certificate?: Certificate
  release?: Provenance
}

/**
 * Judges a v2 evidence bundle: hardware, keys, release, code and names, in the specification's order. The first failure ends it, and
 * every later step is listed as not reached. Pure: the same bytes, roots, policy and time give the same verdict. Never throws.
 *
 * Two things stay outside: AMD's revocation list, which v2 does not carry, and who issued the enclave's TLS certificate, whose key the
 * hardware attests. Both stand in the verdict as `not-checked`. So the dates and names of that certificate, `tlsNotBefore` among them,
 * are what the service says, and v2 has no nonce: a genuine report can be shown again for as long as its chip's certificate lasts.
 *
 * @param evidence the bundle as received: hostile
 * @param now Unix ms
 */
export function verifyEvidence(evidence: Uint8Array, trust: TrustSet, policy: AttestationPolicy, now: number): Verdict {
  const plan: readonly PlannedStep[] = [...documentPlan, ...sevPlan, ...keyPlan, ...sigstorePlan, ...measurementPlan(policy), ...namePlan]
  const findings: Findings = {}
  const result = runStage(plan, (checks) => judge(checks, findings, evidence, trust, policy, now))
  const required = result.steps.every(({ required, outcome }) => !required || outcome === 'passed')
  const good = result.good && required
  return {
    good,
    steps: [...result.steps],
    ...(!result.good && { failure: { ...result.failure, says: attestationCodes[result.failure.code] } }),
    trust: trust.name,
    enclaveHost: policy.enclaveHost,
    ...describe(findings),
    verifiedAt: now,
    validUntil: good ? validUntil(findings, now) : now,
    evidenceDigest: createHash('sha256').update(evidence).digest('hex'),
  }
}

function judge(checks: Checklist<string>, findings: Findings, evidence: Uint8Array, trust: TrustSet, policy: AttestationPolicy, now: number): void {
  const document = readDocument(checks, evidence)
  const { report, vcek, sigstoreBundle, digest } = document

  const { sevSnp } = policy
  if (!sevSnp) throw new Error('the platforms of the policy are judged with the format of the document')
  const hardware = authenticateReport(checks, { report, vcek, roots: trust.amd, policy: sevSnp, now })
  findings.hardware = hardware
  checkGuest(checks, hardware.report, hardware.product, sevSnp)

  const keys = attestedKeys(hardware.report.reportData)
  const certificate = checkKeyBinding(checks, document, keys, now)
  findings.certificate = certificate

  const release = verifySigstoreBundle({ bundle: sigstoreBundle, digest, trustedRoot: trust.sigstoreTrustedRoot, policy: policy.code, now })
  checks.adopt(release.steps)
  if (!release.good) throw new Error('a release was refused without a step that says why')
  findings.release = release.provenance

  checkMeasurement(checks, toHex(hardware.report.measurement), release.provenance.registers.snp, policy)
  checkNames(checks, document, certificate, keys, policy)
}

/** What an authenticated report and an authenticated release say; a failure that comes later does not unsay it. */
function describe({ hardware, certificate, release }: Findings): Partial<Verdict> {
  const keys = hardware && attestedKeys(hardware.report.reportData)
  return {
    ...(hardware && { platform: `AMD SEV-SNP, ${hardware.product}`, measurement: toHex(hardware.report.measurement) }),
    ...(keys && { hpkePublicKey: toHex(keys.hpkePublicKey), tlsKeyFingerprint: toHex(keys.tlsKeyFingerprint) }),
    ...(release && {
      release: { repository: release.repository, tag: release.tag, commit: release.commit, digest: release.digest, loggedAt: release.logTime },
    }),
    ...(certificate && {
      freshness: { kind: 'at-least-as-new-as', tlsNotBefore: certificate.notBefore, ...(release && { logTime: release.logTime }) },
    }),
  }
}

function validUntil({ hardware, certificate }: Findings, now: number): number {
  return Math.min(now + MAX_VALIDITY_MS, hardware?.notAfter ?? now, certificate?.notAfter ?? now)
}

import type { AttestationPolicy, Platform, SevProduct } from './policy.ts'
import type { TrustSet } from './contract.ts'
import { Authenticated } from './authenticated.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import { SEV_SNP_GUEST_V2, TDX_GUEST_V2, type EvidenceDocument, type ReleaseParts } from './document.ts'
import {
  checkDocumentLabel,
  checkHost,
  checkKeyBinding,
  checkKeyLabel,
  documentLabelPlan,
  hostPlan,
  keyLabelPlan,
  keyPlan,
} from './enclave-certificate.ts'
import { checkHardware, hardwarePlan } from './hardware-checks.ts'
import { checkMatch, checkPins, matchPlan, pinPlan } from './measurement-checks.ts'
import { nitroMeasurement, type Measurement } from './measurement.ts'
import { authenticateNitroDocument, checkImage, checkKeys, nitroKeyPlan, nitroPlan } from './nitro/index.ts'
import { agePlan, checkAge } from './release-age.ts'
import { attestedKeys, type AttestedKeys } from './report-data.ts'
import type { SeenCollateral } from './seen-collateral.ts'
import { authenticateReport, checkGuest, isBelowExpected, sevPlan } from './sev-snp/index.ts'
import { sigstorePlan, verifySigstoreBundle, type Provenance } from './sigstore/index.ts'
import { authenticateQuote, checkTrustDomain, tdxPlan } from './tdx/index.ts'
import { toHex } from './words.ts'
import type { Certificate } from './x509/index.ts'

/** By what evidence is judged. */
export interface Circumstances {
  readonly trust: TrustSet
  readonly policy: AttestationPolicy
  /** Unix ms. */
  readonly now: number
  readonly nonce?: Uint8Array
  /** The vendors' statements known before, and those that this verification sees. */
  readonly seen?: SeenCollateral
}

/** The results before the first failure. Only signed values are authenticated. */
export interface Findings {
  hardware?: Authenticated<Hardware>
  keys?: Authenticated<AttestedKeys>
  release?: Authenticated<Provenance>
  /** Its key is attested. Its dates and names are the service's claims. */
  certificate?: Certificate
  /** Of AMD's certified chips: which product's revocation list was looked up, and when the list in force ends (Unix ms). */
  amdList?: { readonly product: SevProduct; readonly ends?: number }
  /** The signed report passed, with older firmware than genuine machines report. */
  belowExpectedTcb?: boolean
}

/** What the vendor's hardware said, once its signature held. */
interface Hardware {
  readonly platform: string
  readonly measurement: Measurement
  /** Unix ms: the earliest end of anything that was relied on. */
  readonly notAfter: number
  /** Made for the nonce that it was asked for with. */
  readonly nonceBound: boolean
  /** Unix ms: the hardware's own time in the evidence. Only Nitro has one. */
  readonly signedAt?: number
}

type Steps = readonly PlannedStep[]

/** The steps of a platform's evidence after the document was read, in the order in which judgeEvidence takes them. */
export function planOf(platform: Platform, { policy, nonce }: Circumstances): Steps {
  switch (platform) {
    case 'sevSnp':
      return [
        ...sevPlan,
        ...keyPlan,
        ...sigstorePlan,
        ...agePlan(policy),
        ...matchPlan,
        ...pinPlan(policy),
        ...hostPlan,
        ...keyLabelPlan,
        ...documentLabelPlan,
      ]
    case 'tdx':
      return [
        ...tdxPlan,
        ...keyPlan,
        ...sigstorePlan,
        ...agePlan(policy),
        ...hardwarePlan,
        ...matchPlan,
        ...pinPlan(policy),
        ...hostPlan,
        ...keyLabelPlan,
        ...documentLabelPlan,
      ]
    case 'nitro':
      return [
        ...nitroPlan(nonce !== undefined),
        ...nitroKeyPlan,
        ...keyPlan,
        ...pinPlan(policy),
        ...hostPlan,
        ...keyLabelPlan,
      ]
  }
}

/** Whether there is anything by which the platform's evidence could be judged. */
export function hasRoot({ amd, intelSgxRoot, awsNitroRoot }: TrustSet, platform: Platform): boolean {
  switch (platform) {
    case 'sevSnp':
      return Object.keys(amd).length > 0
    case 'tdx':
      return intelSgxRoot !== undefined
    case 'nitro':
      return awsNitroRoot !== undefined
  }
}

/** Takes the steps of `planOf`, and notes what they establish. Ends at the first failure. */
export function judgeEvidence(
  checks: Checklist<string>,
  findings: Findings,
  document: EvidenceDocument,
  circumstances: Circumstances,
): void {
  switch (document.platform) {
    case 'sevSnp':
      return judgeSevSnp(checks, findings, document, circumstances)
    case 'tdx':
      return judgeTdx(checks, findings, document, circumstances)
    case 'nitro':
      return judgeNitro(checks, findings, document, circumstances)
  }
}

type Document<P extends Platform> = Extract<EvidenceDocument, { readonly platform: P }>

function judgeSevSnp(
  checks: Checklist<string>,
  findings: Findings,
  document: Document<'sevSnp'>,
  circumstances: Circumstances,
): void {
  const { trust, policy, now, seen } = circumstances
  const rules = required(policy.sevSnp)
  const { amdCrl: crl } = document.collateral
  const { report, product, notAfter, listEnds } = authenticateReport(checks, {
    report: document.report,
    vcek: document.vcek,
    ...(crl && { crl }),
    ...(seen && { seen }),
    roots: trust.amd,
    policy: rules,
    now,
  })
  findings.amdList = { product, ...(listEnds !== undefined && { ends: listEnds }) }
  const measurement = { type: SEV_SNP_GUEST_V2, registers: [toHex(report.measurement)] }
  findings.hardware = Authenticated.by(checks, 'report/signature', {
    platform: `AMD SEV-SNP, ${product}`,
    measurement,
    notAfter,
    nonceBound: false,
  })
  const keys = attestedKeys(report.reportData)
  findings.keys = Authenticated.by(checks, 'report/signature', keys)
  checkGuest(checks, report, product, rules)
  findings.belowExpectedTcb = isBelowExpected(report, product, rules)

  const certificate = checkKeyBinding(checks, document, keys, now)
  findings.certificate = certificate
  const release = checkRelease(checks, findings, document.release, circumstances)
  checkMatch(checks, measurement, release.registers)
  checkPins(checks, 'sevSnp', measurement, release, policy)
  const names = checkHost(checks, document, certificate, policy)
  checkKeyLabel(checks, names, keys, policy)
  checkDocumentLabel(checks, document, names, policy)
}

function judgeTdx(
  checks: Checklist<string>,
  findings: Findings,
  document: Document<'tdx'>,
  circumstances: Circumstances,
): void {
  const { trust, policy, now, seen } = circumstances
  const rules = required(policy.tdx)
  const { intelPcs, hardwareStatement } = document.collateral
  const {
    quote: { td },
    notAfter,
  } = authenticateQuote(checks, {
    quote: document.report,
    collateral: intelPcs,
    ...(seen && { seen }),
    root: required(trust.intelSgxRoot),
    policy: rules,
    now,
  })
  const measurement = { type: TDX_GUEST_V2, registers: [td.mrTd, ...td.rtmrs].map(toHex) }
  findings.hardware = Authenticated.by(checks, 'quote/signature', {
    platform: 'Intel TDX',
    measurement,
    notAfter,
    nonceBound: false,
  })
  const keys = attestedKeys(td.reportData)
  findings.keys = Authenticated.by(checks, 'quote/signature', keys)
  checkTrustDomain(checks, td, rules)

  const certificate = checkKeyBinding(checks, document, keys, now)
  findings.certificate = certificate
  const release = checkRelease(checks, findings, document.release, circumstances)
  checkHardware(checks, measurement, hardwareStatement, {
    trustedRoot: trust.sigstoreTrustedRoot,
    policy: rules.hardware,
    now,
  })
  checkMatch(checks, measurement, release.registers)
  checkPins(checks, 'tdx', measurement, release, policy)
  const names = checkHost(checks, document, certificate, policy)
  checkKeyLabel(checks, names, keys, policy)
  checkDocumentLabel(checks, document, names, policy)
}

/** Its code is held to the policy's own list, and it is made anew for each nonce: neither a release nor a certificate that was issued for it has a part in it. */
function judgeNitro(
  checks: Checklist<string>,
  findings: Findings,
  document: Document<'nitro'>,
  { trust, policy, now, nonce }: Circumstances,
): void {
  const evidence = authenticateNitroDocument(checks, {
    document: document.report,
    root: required(trust.awsNitroRoot),
    now,
    ...(nonce && { nonce }),
  })
  const measurement = nitroMeasurement(evidence.document.pcrs)
  findings.hardware = Authenticated.by(checks, 'nitro/signature', {
    platform: 'AWS Nitro',
    measurement,
    notAfter: evidence.notAfter,
    nonceBound: nonce !== undefined,
    signedAt: evidence.document.timestamp,
  })
  checkImage(checks, evidence.document, required(policy.nitro))
  const keys = checkKeys(checks, evidence.document)
  findings.keys = Authenticated.by(checks, 'nitro/signature', keys)
  const certificate = checkKeyBinding(checks, document, keys, now)
  findings.certificate = certificate
  checkPins(checks, 'nitro', measurement, undefined, policy)
  const names = checkHost(checks, document, certificate, policy)
  checkKeyLabel(checks, names, keys, policy)
}

function checkRelease(
  checks: Checklist<string>,
  findings: Findings,
  { sigstoreBundle, digest }: ReleaseParts,
  { trust, policy, now }: Circumstances,
): Provenance {
  const release = verifySigstoreBundle({
    bundle: sigstoreBundle,
    digest,
    trustedRoot: trust.sigstoreTrustedRoot,
    policy: policy.code,
    now,
  })
  checks.adopt(release.steps)
  if (!release.good) throw new Error('a release was refused without a step that names the reason')
  findings.release = Authenticated.by(checks, 'sigstore/log', release.provenance)
  checkAge(checks, release.provenance, policy)
  return release.provenance
}

/** The format step lets nothing through whose platform has no rules or no root. */
function required<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a platform is judged without its rules or its root')
  return part
}

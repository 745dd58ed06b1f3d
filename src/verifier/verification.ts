import type { AttestationPolicy, Platform, SevProduct } from './policy.ts'
import type { TrustSet } from './contract.ts'
import { Authenticated } from './authenticated.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import { SEV_SNP_GUEST_V2, TDX_GUEST_V2, type EvidenceDocument } from './document.ts'
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
import { toHex } from './text.ts'
import { dnsNames, type Certificate } from './x509/index.ts'

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

type Document<P extends Platform> = Extract<EvidenceDocument, { readonly platform: P }>

/** What a stage works with: it reads what earlier stages found, and adds its own findings. */
interface Context<out D extends EvidenceDocument> {
  readonly checks: Checklist<string>
  readonly findings: Findings
  readonly document: D
  readonly circumstances: Circumstances
}

/** Consecutive steps of a verdict, and the check that takes them. */
interface Stage<in D extends EvidenceDocument> {
  readonly steps: (circumstances: Circumstances) => readonly PlannedStep[]
  readonly run: (context: Context<D>) => void
}

/** Binds the certificate's key to the hardware. */
const keyBinding: Stage<EvidenceDocument> = {
  steps: () => keyPlan,
  run({ checks, findings, document, circumstances: { now } }) {
    findings.certificate = checkKeyBinding(checks, document, required(findings.keys).value, now)
  },
}

const release: Stage<Document<'sevSnp' | 'tdx'>> = {
  steps: ({ policy }) => [...sigstorePlan, ...agePlan(policy)],
  run: checkRelease,
}

const codeMatch: Stage<Document<'sevSnp' | 'tdx'>> = {
  steps: () => matchPlan,
  run({ checks, findings: { hardware, release: authentic } }) {
    checkMatch(checks, required(hardware).value.measurement, required(authentic).value.registers)
  },
}

const pins: Stage<EvidenceDocument> = {
  steps: ({ policy }) => pinPlan(policy),
  run({ checks, findings: { hardware, release: authentic }, document, circumstances: { policy } }) {
    checkPins(checks, document.platform, required(hardware).value.measurement, authentic?.value, policy)
  },
}

const names: Stage<EvidenceDocument> = {
  steps: () => [...hostPlan, ...keyLabelPlan],
  run({ checks, findings, document, circumstances: { policy } }) {
    const found = checkHost(checks, document, required(findings.certificate), policy)
    checkKeyLabel(checks, found, required(findings.keys).value, policy)
  },
}

/** Only of a certificate that was issued for the evidence. A Nitro enclave creates evidence for each nonce. */
const documentName: Stage<Document<'sevSnp' | 'tdx'>> = {
  steps: () => documentLabelPlan,
  run({ checks, findings, document, circumstances: { policy } }) {
    checkDocumentLabel(checks, document, dnsNames(required(findings.certificate)), policy)
  },
}

/** The order of the steps after the document was read. It's stated only here: plan and verification both follow it. */
const stages: { readonly [P in Platform]: readonly Stage<Document<P>>[] } = {
  sevSnp: [
    { steps: () => sevPlan, run: checkSevSnp },
    keyBinding,
    release,
    codeMatch,
    pins,
    names,
    documentName,
  ],
  tdx: [
    { steps: () => tdxPlan, run: checkTdx },
    keyBinding,
    release,
    { steps: () => hardwarePlan, run: checkVirtualHardware },
    codeMatch,
    pins,
    names,
    documentName,
  ],
  // The policy lists the accepted images, so no release has a part in it.
  nitro: [
    { steps: ({ nonce }) => [...nitroPlan(nonce !== undefined), ...nitroKeyPlan], run: checkNitro },
    keyBinding,
    pins,
    names,
  ],
}

/** The steps of a platform's evidence after the document was read, in the order in which they are taken. */
export function planOf(platform: Platform, circumstances: Circumstances): readonly PlannedStep[] {
  return stages[platform].flatMap(({ steps }) => steps(circumstances))
}

/** Takes the steps of `planOf`, and notes what they establish. Ends at the first failure. */
export function judgeEvidence(
  checks: Checklist<string>,
  findings: Findings,
  document: EvidenceDocument,
  circumstances: Circumstances,
): void {
  const common = { checks, findings, circumstances }
  switch (document.platform) {
    case 'sevSnp':
      return stages.sevSnp.forEach(({ run }) => run({ ...common, document }))
    case 'tdx':
      return stages.tdx.forEach(({ run }) => run({ ...common, document }))
    case 'nitro':
      return stages.nitro.forEach(({ run }) => run({ ...common, document }))
  }
}

function checkSevSnp({ checks, findings, document, circumstances }: Context<Document<'sevSnp'>>): void {
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
  findings.hardware = Authenticated.by(checks, 'report/signature', {
    platform: `AMD SEV-SNP, ${product}`,
    measurement: { type: SEV_SNP_GUEST_V2, registers: [toHex(report.measurement)] },
    notAfter,
    nonceBound: false,
  })
  findings.keys = Authenticated.by(checks, 'report/signature', attestedKeys(report.reportData))
  checkGuest(checks, report, product, rules)
  findings.belowExpectedTcb = isBelowExpected(report, product, rules)
}

function checkTdx({ checks, findings, document, circumstances }: Context<Document<'tdx'>>): void {
  const { trust, policy, now, seen } = circumstances
  const rules = required(policy.tdx)
  const {
    quote: { td },
    notAfter,
  } = authenticateQuote(checks, {
    quote: document.report,
    collateral: document.collateral.intelPcs,
    ...(seen && { seen }),
    root: required(trust.intelSgxRoot),
    policy: rules,
    now,
  })
  findings.hardware = Authenticated.by(checks, 'quote/signature', {
    platform: 'Intel TDX',
    measurement: { type: TDX_GUEST_V2, registers: [td.mrTd, ...td.rtmrs].map(toHex) },
    notAfter,
    nonceBound: false,
  })
  findings.keys = Authenticated.by(checks, 'quote/signature', attestedKeys(td.reportData))
  checkTrustDomain(checks, td, rules)
}

function checkVirtualHardware({
  checks,
  findings,
  document,
  circumstances: { trust, policy, now },
}: Context<Document<'tdx'>>): void {
  checkHardware(
    checks,
    required(findings.hardware).value.measurement,
    document.collateral.hardwareStatement,
    {
      trustedRoot: trust.sigstoreTrustedRoot,
      policy: required(policy.tdx).hardware,
      now,
    },
  )
}

function checkNitro({
  checks,
  findings,
  document,
  circumstances: { trust, policy, now, nonce },
}: Context<Document<'nitro'>>): void {
  const evidence = authenticateNitroDocument(checks, {
    document: document.report,
    root: required(trust.awsNitroRoot),
    now,
    ...(nonce && { nonce }),
  })
  findings.hardware = Authenticated.by(checks, 'nitro/signature', {
    platform: 'AWS Nitro',
    measurement: nitroMeasurement(evidence.document.pcrs),
    notAfter: evidence.notAfter,
    nonceBound: nonce !== undefined,
    signedAt: evidence.document.timestamp,
  })
  checkImage(checks, evidence.document, required(policy.nitro))
  findings.keys = Authenticated.by(checks, 'nitro/signature', checkKeys(checks, evidence.document))
}

function checkRelease({
  checks,
  findings,
  document: { release: parts },
  circumstances: { trust, policy, now },
}: Context<Document<'sevSnp' | 'tdx'>>): void {
  const verified = verifySigstoreBundle({
    bundle: parts.sigstoreBundle,
    digest: parts.digest,
    trustedRoot: trust.sigstoreTrustedRoot,
    policy: policy.code,
    now,
  })
  checks.adopt(verified.steps)
  if (!verified.good) throw new Error('a release was refused without a step that names the reason')
  findings.release = Authenticated.by(checks, 'sigstore/log', verified.provenance)
  checkAge(checks, verified.provenance, policy)
}

/** The format step accepts only a platform with rules and a root, and a stage comes after the stages whose findings it needs. */
function required<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a stage ran without its rules, its root or an earlier finding')
  return part
}

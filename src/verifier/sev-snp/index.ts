import type { KeyObject } from 'node:crypto'
import type { AttestationCode } from '../codes.ts'
import type { SevPolicy, SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import { runStage, type Checklist, type StageResult } from '../checklist.ts'
import { isZero } from '../is-zero.ts'
import { SeenCollateral } from '../seen-collateral.ts'
import { isoTime, toHex } from '../text.ts'
import {
  CertificateError,
  parseCertificate,
  validityAt,
  type Certificate,
  type CertifiedKey,
} from '../x509/index.ts'
import { intermediateName, verifyIntermediate, verifyRoot, verifyVcek, rootName } from './chain.ts'
import { decodeSignerInfo } from './flags.ts'
import { checkGuest } from './guest-checks.ts'
import { sevPlan, type SevStep } from './plan.ts'
import { productOfCpu } from './product.ts'
import { parseReport, REPORT_BYTES, ReportError, type ReportFault, type SevReport } from './report.ts'
import { checkRevoked, type RevocationInput } from './revocation.ts'
import { isReportSignedBy } from './signature.ts'
import { decodeTcb, describeTcb, sameTcb } from './tcb.ts'
import { namesCloudProvider, readVcek, type Vcek } from './vcek.ts'

export type { GuestPolicy, PlatformInfo } from './flags.ts'
export { checkGuest, isBelowExpected } from './guest-checks.ts'
export { intermediateName, rootName } from './chain.ts'
export { sevPlan, type SevStep } from './plan.ts'
export { readAmdList } from './revocation.ts'
export {
  parseReport,
  REPORT_BYTES,
  ReportError,
  type CpuId,
  type FirmwareVersion,
  type ReportFault,
  type SevReport,
} from './report.ts'
export { belowFloor, decodeTcb, describeTcb, sameTcb } from './tcb.ts'

export interface SevInput {
  /** The report, unpacked. */
  readonly report: Uint8Array
  /** DER of the chip's certificate. */
  readonly vcek: Uint8Array
  /** DER of AMD's revocation list, where the evidence brings one. */
  readonly crl?: Uint8Array | undefined
  /** The lists known before, and those seen now; nothing is known where it is absent. */
  readonly seen?: SeenCollateral
  readonly roots: TrustSet['amd']
  readonly policy: SevPolicy
  /** Unix ms. */
  readonly now: number
}

/** An authenticated report, and until when the certificates and the list that authenticate it last (Unix ms). */
export interface SevEvidence {
  readonly report: SevReport
  readonly product: SevProduct
  readonly notAfter: number
  /** Unix ms: when the revocation list that the chain was checked against ends. Absent if no list was in force. */
  readonly listEnds?: number
}

/**
 * Verifies an SEV-SNP report: AMD's chain to the chip, the chip's signature, then the policy over what was signed. Pure; never throws.
 * Each failure has its own code, `report/…`, `vcek/…` or `amd/…`, and the steps those of `sevPlan`.
 */
export function verifySevSnp(input: SevInput): StageResult<SevEvidence> {
  return runStage<SevStep, SevEvidence>(sevPlan, (checks) => {
    const evidence = authenticateReport(checks, input)
    checkGuest(checks, evidence.report, evidence.product, input.policy)
    return evidence
  })
}

/** Takes the steps up to `report/signature`, and ends at the first failure: what passes them was said by a chip of AMD's. */
export function authenticateReport(
  checks: Checklist<SevStep>,
  { report: bytes, vcek: der, crl, seen = new SeenCollateral(), roots, policy, now }: SevInput,
): SevEvidence {
  const report = takeReport(checks, bytes)
  const vcek = takeVcek(checks, der)
  const { product } = vcek
  const trusted = product && policy.products[product] && roots[product]
  const accepted = Object.keys(policy.products).join(', ')
  if (!trusted) return checks.fail('vcek/product', 'vcek/product-not-accepted', accepted, vcek.productName)
  checks.pass('vcek/product', accepted, vcek.productName)
  const chain = checkChain(checks, vcek.certificate, trusted, product, now)
  const listEnds = checkRevocation(checks, {
    ...chain,
    product,
    vcek: vcek.certificate,
    evidence: crl,
    shipped: trusted.crl,
    seen,
    now,
  })
  checkChip(checks, report, vcek, product)
  checkReportedTcb(checks, report, vcek, product)
  const signed = isReportSignedBy(bytes, chain.key)
  checks.record(
    'report/signature',
    signed ? undefined : 'report/signature-invalid',
    msg('a signature by the certified key'),
    signed ? msg('a signature by the certified key') : msg('an invalid signature'),
  )
  return {
    report,
    product,
    notAfter: Math.min(chain.notAfter, listEnds ?? Infinity),
    ...(listEnds !== undefined && { listEnds }),
  }
}

const layoutCodes: Record<ReportFault, AttestationCode> = {
  length: 'report/length',
  version: 'report/version-unsupported',
  'signature-algorithm': 'report/signature-algorithm',
  'reserved-bytes': 'report/reserved-bytes',
}

function takeReport(checks: Checklist<SevStep>, bytes: Uint8Array): SevReport {
  const expected = msg('{count} bytes, version 2 to 5, reserved bytes zero', { count: REPORT_BYTES })
  try {
    const report = parseReport(bytes)
    checks.pass('report/layout', expected, msg('version {version}', { version: report.version }))
    return report
  } catch (error) {
    if (error instanceof ReportError)
      checks.fail('report/layout', layoutCodes[error.fault], expected, error.observed)
    throw error
  }
}

function takeVcek(checks: Checklist<SevStep>, der: Uint8Array): Vcek {
  const expected = msg('a chip’s certificate with AMD’s extensions')
  try {
    const certificate = parseCertificate(der)
    if (namesCloudProvider(certificate))
      checks.fail('vcek/form', 'vcek/is-vlek', expected, msg('the certificate of a cloud provider (VLEK)'))
    const vcek = readVcek(certificate)
    checks.pass('vcek/form', expected, expected)
    return vcek
  } catch (error) {
    if (error instanceof CertificateError)
      checks.fail('vcek/form', 'vcek/malformed', expected, error.observed)
    throw error
  }
}

interface Chain {
  readonly root: CertifiedKey
  readonly intermediate: CertifiedKey
  /** The chip's. */
  readonly key: KeyObject
  /** When the first certificate of the chain ends. */
  readonly notAfter: number
}

function checkChain(
  checks: Checklist<SevStep>,
  vcek: Certificate,
  trusted: { readonly ark: Uint8Array; readonly ask: Uint8Array },
  product: SevProduct,
  now: number,
): Chain {
  const root = verifyRoot(trusted.ark, product, now)
  if ('fault' in root) return checks.fail('amd/root', 'amd/root-invalid', rootName(product), root.fault)
  checks.pass('amd/root', rootName(product), rootName(product))
  const intermediate = verifyIntermediate(trusted.ask, root, product, now)
  if ('fault' in intermediate)
    return checks.fail(
      'amd/intermediate',
      'amd/intermediate-invalid',
      intermediateName(product),
      intermediate.fault,
    )
  checks.pass('amd/intermediate', intermediateName(product), intermediateName(product))
  const chip = verifyVcek(vcek, intermediate)
  const issued = msg('issued by {product}', { product: intermediateName(product) })
  if ('fault' in chip) return checks.fail('vcek/chain', 'vcek/chain-invalid', issued, chip.fault)
  checks.pass('vcek/chain', issued, issued)

  const validity = validityAt(vcek, now)
  const code = validity === 'expired' ? 'vcek/expired' : 'vcek/not-yet-valid'
  checks.record(
    'vcek/validity',
    validity === 'valid' ? undefined : code,
    msg('valid at {time}', { time: isoTime(now) }),
    msg('from {from} to {to}', { from: isoTime(vcek.notBefore), to: isoTime(vcek.notAfter) }),
  )
  return {
    root,
    intermediate,
    key: chip.key,
    notAfter: Math.min(root.certificate.notAfter, intermediate.certificate.notAfter, vcek.notAfter),
  }
}

/** A v2 document need not carry the list; one that does is held to it. Returns when the list ends that the step passed by. */
function checkRevocation(checks: Checklist<SevStep>, input: RevocationInput): number | undefined {
  const expected = msg('absent from AMD’s revocation list')
  const { outcome, code, observed, listEnds } = checkRevoked(input)
  if (outcome === 'not-checked') checks.notChecked('amd/revocation', expected, observed)
  else checks.record('amd/revocation', code, expected, observed)
  return listEnds
}

/** Whether certificate and report speak of one chip. Turin's hardware id is 8 bytes, and the report fills up with zeros. */
function checkChip(
  checks: Checklist<SevStep>,
  report: SevReport,
  { hardwareId }: Vcek,
  product: SevProduct,
): void {
  const expected = toHex(hardwareId)
  if (decodeSignerInfo(report.signerInfo).chipKeyMasked)
    checks.fail('vcek/chip', 'report/chip-key-masked', expected, msg('a masked chip'))
  if (isZero(report.chipId)) checks.fail('vcek/chip', 'report/chip-id-masked', expected, msg('no chip'))
  const observed = toHex(report.chipId)
  const length = product === 'Turin' ? 8 : 64
  const same = hardwareId.length === length && observed === expected.padEnd(128, '0')
  if (!same) checks.fail('vcek/chip', 'vcek/hwid-mismatch', expected, observed)
  // Reports before version 3 do not say what processor they are from; there the certificate alone does.
  const processor = report.cpuId && productOfCpu(report.cpuId)
  checks.record(
    'vcek/chip',
    report.cpuId && processor !== product ? 'vcek/product-mismatch' : undefined,
    expected,
    observed,
  )
}

function checkReportedTcb(
  checks: Checklist<SevStep>,
  report: SevReport,
  vcek: Vcek,
  product: SevProduct,
): void {
  const reported = decodeTcb(report.reportedTcb, product)
  const same = reported !== undefined && sameTcb(reported, vcek.tcb)
  checks.record(
    'vcek/tcb',
    same ? undefined : 'vcek/tcb-mismatch',
    describeTcb(vcek.tcb),
    reported ? describeTcb(reported) : msg('reserved bytes set'),
  )
}

import type { AttestationCode } from '../codes.ts'
import type { SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import { isZero } from '../is-zero.ts'
import { fail, passed, passUnless, type Finding } from '../steps.ts'
import { toHex } from '../text.ts'
import { CertificateError, parseCertificate } from '../x509/index.ts'
import { decodeSignerInfo } from './flags.ts'
import { productOfCpu } from './product.ts'
import { parseReport, REPORT_BYTES, ReportError, type ReportFault, type SevReport } from './report.ts'
import { decodeTcb, describeTcb, sameTcb } from './tcb.ts'
import { namesCloudProvider, readVcek, type Vcek } from './vcek.ts'

const layoutCodes: Record<ReportFault, AttestationCode> = {
  length: 'report/length',
  version: 'report/version-unsupported',
  'signature-algorithm': 'report/signature-algorithm',
  'reserved-bytes': 'report/reserved-bytes',
}

/** Parses a report (AMD 56860). Nothing in it is authenticated yet. Each fault has its own code `report/…`. */
export function readReport(bytes: Uint8Array): Finding<{ readonly parsed: SevReport }> {
  const expected = msg('{count} bytes, version 2 to 5, reserved bytes zero', { count: REPORT_BYTES })
  try {
    const parsed = parseReport(bytes)
    return passed(expected, msg('version {version}', { version: parsed.version }), { parsed })
  } catch (error) {
    if (error instanceof ReportError) return fail(layoutCodes[error.fault], expected, error.observed)
    throw error
  }
}

/** Parses the chip’s certificate (AMD 57230). Fails with `vcek/is-vlek` or `vcek/malformed`. */
export function readVcekCertificate(der: Uint8Array): Finding<{ readonly chip: Vcek }> {
  const expected = msg('a chip’s certificate with AMD’s extensions')
  try {
    const certificate = parseCertificate(der)
    if (namesCloudProvider(certificate))
      return fail('vcek/is-vlek', expected, msg('the certificate of a cloud provider (VLEK)'))
    return passed(expected, expected, { chip: readVcek(certificate) })
  } catch (error) {
    if (error instanceof CertificateError) return fail('vcek/malformed', expected, error.observed)
    throw error
  }
}

/** Certificate and report must name the same chip. Turin's hardware id is 8 bytes, which the report pads with zeros. */
export function checkChip(report: SevReport, { hardwareId }: Vcek, product: SevProduct): Finding {
  const expected = toHex(hardwareId)
  if (decodeSignerInfo(report.signerInfo).chipKeyMasked)
    fail('report/chip-key-masked', expected, msg('a masked chip'))
  if (isZero(report.chipId)) fail('report/chip-id-masked', expected, msg('no chip'))
  const observed = toHex(report.chipId)
  const length = product === 'Turin' ? 8 : 64
  const same = hardwareId.length === length && observed === expected.padEnd(128, '0')
  if (!same) fail('vcek/hwid-mismatch', expected, observed)
  // Reports before version 3 don't name their processor, so only the certificate does.
  const processor = report.cpuId && productOfCpu(report.cpuId)
  return passUnless(
    report.cpuId && processor !== product ? 'vcek/product-mismatch' : undefined,
    expected,
    observed,
  )
}

/** The chip’s key belongs to exactly one TCB, which the report must state. Fails with `vcek/tcb-mismatch`. */
export function checkReportedTcb(report: SevReport, vcek: Vcek, product: SevProduct): Finding {
  const reported = decodeTcb(report.reportedTcb, product)
  const same = reported !== undefined && sameTcb(reported, vcek.tcb)
  return passUnless(
    same ? undefined : 'vcek/tcb-mismatch',
    describeTcb(vcek.tcb),
    reported ? describeTcb(reported) : msg('reserved bytes set'),
  )
}

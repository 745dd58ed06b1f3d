import { msg } from '../message.ts'
import { isZero } from '../is-zero.ts'
import { EvidenceError, toHex, type Text } from '../text.ts'

/**
 * Quotes of the Intel TDX DCAP Quoting Library API, appendix A.3 (version 4) and A.4 (version 5),
 * little-endian. Version 5 states the type and size of its body, and so can carry a TDX 1.5 report; header
 * and signature data are those of version 4.
 */
const HEADER_BYTES = 48
/** A genuine quote has about 5 KiB, mostly certificates. */
export const MAX_QUOTE_BYTES = 16 * 1024

/** ECDSA P-256 with SHA-256. */
const ECDSA_P256 = 2
const TEE_TYPE_TDX = 0x81
/** Intel's own quoting enclave. */
const INTEL_QE_VENDOR_ID = '939a7233f79c4ca9940a0db3957f0607'

/** Body types of version 5, with the length of each in bytes. */
const TD_REPORT_BYTES = 584
const TD_REPORT_15_BYTES = 648
const BODY_BYTES: Readonly<Record<number, number>> = { 2: TD_REPORT_BYTES, 3: TD_REPORT_15_BYTES }

const CERTIFICATION_QE_REPORT = 6
const CERTIFICATION_PCK_CHAIN = 5
const QE_REPORT_BYTES = 384

/** The TDX module's report about a trust domain (A.3.2, A.4.3). */
export interface TdReport {
  readonly teeTcbSvn: Uint8Array
  readonly mrSeam: Uint8Array
  readonly mrSignerSeam: Uint8Array
  readonly seamAttributes: Uint8Array
  readonly tdAttributes: Uint8Array
  readonly xfam: Uint8Array
  readonly mrTd: Uint8Array
  readonly mrConfigId: Uint8Array
  readonly mrOwner: Uint8Array
  readonly mrOwnerConfig: Uint8Array
  /** RTMR0 to RTMR3. */
  readonly rtmrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  readonly reportData: Uint8Array
  /**
   * Only in TDX 1.5 reports: the TCB in use now, which differs if the module was updated under a running TD,
   * and the service TD bound to it.
   */
  readonly tdx15?: { readonly teeTcbSvn: Uint8Array; readonly mrServiceTd: Uint8Array }
}

/** A quote as its bytes claim. None of it is authenticated here. */
export interface TdxQuote {
  readonly version: number
  readonly attestationKeyType: number
  readonly qeVendorId: Uint8Array
  readonly userData: Uint8Array
  readonly td: TdReport
  /** The bytes that the attestation key signs: header and body. */
  readonly signed: Uint8Array
  /** r and s. */
  readonly signature: Uint8Array
  /** x and y of a point of P-256. */
  readonly attestationKey: Uint8Array
  /**
   * The quoting enclave's own report, its signature by the machine's certified key, and the data that it
   * vouches for in addition to the attestation key.
   */
  readonly qeReport: Uint8Array
  readonly qeReportSignature: Uint8Array
  readonly qeAuthenticationData: Uint8Array
  /** The machine's certificate and its issuers, PEM. */
  readonly pckChain: Uint8Array
}

export type QuoteFault =
  | 'length'
  | 'version'
  | 'attestation-key-type'
  | 'tee-type'
  | 'reserved-bytes'
  | 'qe-vendor'
  | 'body-type'
  | 'certification-data'

/** A quote that isn't supported or is malformed. `observed` is the observation of the step `quote/layout`. */
export class QuoteError extends EvidenceError {
  override name = 'QuoteError'
  readonly fault: QuoteFault
  constructor(fault: QuoteFault, observed: Text) {
    super(observed)
    this.fault = fault
  }
}

/** Reads fields in order, and never past the end. */
class Fields {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  take(count: number): Uint8Array {
    this.require(count)
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  u16(): number {
    this.require(2)
    this.at += 2
    return this.view.getUint16(this.at - 2, true)
  }

  u32(): number {
    this.require(4)
    this.at += 4
    return this.view.getUint32(this.at - 4, true)
  }

  /** A part after its 32-bit length. */
  sized(): Fields {
    return new Fields(this.take(this.u32()))
  }

  atEnd(): boolean {
    return this.at === this.bytes.length
  }

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.at)
  }

  private require(count: number): void {
    if (count > this.bytes.length - this.at)
      throw new QuoteError('length', msg('it ends after {count} bytes', { count: this.bytes.length }))
  }
}

/**
 * Parses a quote of version 4 or 5. Intel's quoting enclave must have signed it with ECDSA P-256, certified
 * by a PCK chain of type 5 inside type 6.
 *
 * All lengths must add up, and reserved bytes must be zero. Only zeros may follow the quote, because the
 * hardware fills a buffer that is longer than the quote. Throws QuoteError.
 */
export function parseQuote(bytes: Uint8Array): TdxQuote {
  if (bytes.length > MAX_QUOTE_BYTES)
    throw new QuoteError('length', msg('{count} bytes', { count: bytes.length }))
  const fields = new Fields(bytes)
  const version = fields.u16()
  if (version !== 4 && version !== 5) throw new QuoteError('version', msg('version {version}', { version }))
  const attestationKeyType = fields.u16()
  if (attestationKeyType !== ECDSA_P256)
    throw new QuoteError('attestation-key-type', msg('type {type}', { type: attestationKeyType }))
  const teeType = fields.u32()
  if (teeType !== TEE_TYPE_TDX)
    throw new QuoteError('tee-type', msg('type {type}', { type: `0x${teeType.toString(16)}` }))
  if (fields.u32() !== 0) throw new QuoteError('reserved-bytes', msg('bytes set between 8 and 12'))
  const qeVendorId = fields.take(16)
  if (toHex(qeVendorId) !== INTEL_QE_VENDOR_ID) throw new QuoteError('qe-vendor', toHex(qeVendorId))
  const userData = fields.take(HEADER_BYTES - fields.at)
  const td = readTdReport(new Fields(fields.take(version === 4 ? TD_REPORT_BYTES : readBodySize(fields))))
  const signed = bytes.subarray(0, fields.at)
  const certified = readSignatureData(fields.sized())
  if (!isZero(fields.rest())) throw new QuoteError('length', msg('bytes after its end'))
  return { version, attestationKeyType, qeVendorId, userData, td, signed, ...certified }
}

function readBodySize(fields: Fields): number {
  const type = fields.u16()
  const size = fields.u32()
  const bytes = BODY_BYTES[type]
  if (bytes === undefined || bytes !== size)
    throw new QuoteError('body-type', msg('type {type} of {size} bytes', { type, size }))
  return bytes
}

function readTdReport(fields: Fields): TdReport {
  return {
    teeTcbSvn: fields.take(16),
    mrSeam: fields.take(48),
    mrSignerSeam: fields.take(48),
    seamAttributes: fields.take(8),
    tdAttributes: fields.take(8),
    xfam: fields.take(8),
    mrTd: fields.take(48),
    mrConfigId: fields.take(48),
    mrOwner: fields.take(48),
    mrOwnerConfig: fields.take(48),
    rtmrs: [fields.take(48), fields.take(48), fields.take(48), fields.take(48)],
    reportData: fields.take(64),
    ...(!fields.atEnd() && { tdx15: { teeTcbSvn: fields.take(16), mrServiceTd: fields.take(48) } }),
  }
}

type SignatureData = Pick<
  TdxQuote,
  'signature' | 'attestationKey' | 'qeReport' | 'qeReportSignature' | 'qeAuthenticationData' | 'pckChain'
>

/** ECDSA 256-bit Quote Signature Data Structure (A.3.8), QE Report Certification Data (A.3.11). */
function readSignatureData(fields: Fields): SignatureData {
  const signature = fields.take(64)
  const attestationKey = fields.take(64)
  const qe = readCertificationData(fields, CERTIFICATION_QE_REPORT)
  const qeReport = qe.take(QE_REPORT_BYTES)
  const qeReportSignature = qe.take(64)
  const qeAuthenticationData = qe.take(qe.u16())
  const pckChain = readCertificationData(qe, CERTIFICATION_PCK_CHAIN).rest()
  return { signature, attestationKey, qeReport, qeReportSignature, qeAuthenticationData, pckChain }
}

/** Reads certification data, which must be the last part of its parent. */
function readCertificationData(fields: Fields, expected: number): Fields {
  const type = fields.u16()
  if (type !== expected)
    throw new QuoteError('certification-data', msg('type {type} instead of {expected}', { type, expected }))
  const data = fields.sized()
  if (!fields.atEnd()) throw new QuoteError('length', msg('bytes after the certification data'))
  return data
}

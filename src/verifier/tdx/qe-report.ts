import { hash } from 'node:crypto'
import { isZero } from '../is-zero.ts'
import { toHex } from '../text.ts'
import type { TdxQuote } from './quote.ts'

/** The content of an SGX report about an enclave (A.3.10, REPORTBODY), little-endian. */
export interface QeReport {
  /** Lowercase hex, in the report's order. */
  readonly miscSelect: string
  readonly attributes: string
  readonly mrSigner: string
  readonly isvProdId: number
  readonly isvSvn: number
  readonly reportData: Uint8Array
}

/** @param bytes 384 */
export function readQeReport(bytes: Uint8Array): QeReport {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const field = (start: number, length: number) => toHex(bytes.subarray(start, start + length))
  return {
    miscSelect: field(16, 4),
    attributes: field(48, 16),
    mrSigner: field(128, 32),
    isvProdId: view.getUint16(256, true),
    isvSvn: view.getUint16(258, true),
    reportData: bytes.subarray(320, 384),
  }
}

/** The quoting enclave vouches for the attestation key only by the hash in its own report. */
export function vouchesForKey(
  { reportData }: QeReport,
  { attestationKey, qeAuthenticationData }: TdxQuote,
): boolean {
  const vouchedFor = hash('sha256', Buffer.concat([attestationKey, qeAuthenticationData]), 'buffer')
  return vouchedFor.equals(reportData.subarray(0, 32)) && isZero(reportData.subarray(32))
}

/**
 * Whether hex matches Intel's value in the bits of the mask. @param value has the same length as the other
 * two
 */
export function matchesUnderMask(value: string, stated: string, mask: string): boolean {
  const [bytes, expected, under] = [value, stated, mask].map((hex) => Buffer.from(hex, 'hex'))
  return (
    bytes !== undefined &&
    bytes.length === expected?.length &&
    bytes.every((byte, index) => (byte & (under?.[index] ?? 0)) === expected[index])
  )
}

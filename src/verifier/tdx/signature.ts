import type { KeyObject } from 'node:crypto'
import { parseOnce } from '../parse-once.ts'
import { isSignature, publicKeyFromSpki } from '../x509/index.ts'
import type { TdxQuote } from './quote.ts'

/** DER of SubjectPublicKeyInfo of a key of P-256, up to its point. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')

/**
 * Returns undefined if the point isn't on the curve. Cached, because a quoting enclave uses the same key for
 * as long as it runs.
 */
const publicKeyOfPoint = parseOnce((point) => publicKeyFromSpki(Buffer.concat([P256_PREFIX, point])))

/** Whether the attestation key that the quote names signed it. Whose key that is, is another question. */
export function isQuoteSigned({ signed, signature, attestationKey }: TdxQuote): boolean {
  const key = publicKeyOfPoint(attestationKey)
  if (!key) return false
  return isSignature('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Whether the machine's certified key signed the quoting enclave's report. @param key P-256 */
export function isQeReportSignedBy({ qeReport, qeReportSignature }: TdxQuote, key: KeyObject): boolean {
  return isSignature('sha256', qeReport, { key, dsaEncoding: 'ieee-p1363' }, qeReportSignature)
}

import { MAX_REVOCATION_LIST_BYTES, type CollateralName, type CollateralRecord } from './contract.ts'
import { decodeBase64 } from './base64.ts'
import { CertificateError, verifyCrl, parseCrl, type CertifiedKey, type Crl } from './x509/index.ts'

/** A revocation list with its bytes. */
export interface RevocationList {
  readonly der: Uint8Array
  readonly crl: Crl
}

/**
 * A list that was known before, if its issuer signed it. Its period isn't checked: a list that has ended still names what was revoked.
 *
 * @returns undefined for any other bytes, which decide nothing
 */
export function readKnownList(
  der: Uint8Array,
  issuer: CertifiedKey,
  now: number,
): RevocationList | undefined {
  try {
    const crl = parseCrl(der)
    const fault = verifyCrl(crl, issuer, now)
    return fault === undefined || fault === 'expired' || fault === 'not-yet-valid' ? { der, crl } : undefined
  } catch (error) {
    if (error instanceof CertificateError) return undefined
    throw error
  }
}

/**
 * Sorts lists of one issuer, the newest first. RFC 5280 section 5.2.3 has CRL number and `thisUpdate` grow together; only the latter is in
 * every list. Of two lists of the same second the first one given comes first.
 */
export function newestFirst(lists: readonly (RevocationList | undefined)[]): RevocationList[] {
  return lists.filter((list) => list !== undefined).sort((a, b) => b.crl.thisUpdate - a.crl.thisUpdate)
}

/** How a list is remembered. */
export function recordOf(name: CollateralName, { der, crl }: RevocationList): CollateralRecord {
  return { name, version: crl.thisUpdate, list: Buffer.from(der).toString('base64') }
}

/** The bytes of a record's list, if it has one. */
export function listOf(record: CollateralRecord | undefined): Uint8Array | undefined {
  const der = record?.list === undefined ? undefined : decodeBase64(record.list)
  return der && der.length <= MAX_REVOCATION_LIST_BYTES ? der : undefined
}

import type { AttestationCode } from '../../../shared/attestation-codes.ts'
import { say } from '../../../shared/say.ts'
import { isoTime, type Words } from '../words.ts'
import { CertificateError, judgeCrl, listsSerial, parseCrl, type Certificate, type Crl, type CertifiedKey } from '../x509/index.ts'
import { algorithmFault } from './chain.ts'

export interface RevocationFinding {
  readonly code: AttestationCode | undefined
  readonly observed: Words
  /** Until when the list speaks for AMD (Unix ms). */
  readonly nextUpdate: number
}

/**
 * Judges what AMD has revoked (AMD 57230, "VCEK CRL"): one list for each product, which the root signs for itself and for the intermediate,
 * so that it names the intermediate's certificate and those of chips alike.
 *
 * @param now Unix ms
 */
export function judgeRevocation(der: Uint8Array, chain: { readonly root: CertifiedKey; readonly intermediate: CertifiedKey }, vcek: Certificate, now: number): RevocationFinding {
  const { root, intermediate } = chain
  let crl: Crl
  try {
    crl = parseCrl(der)
  } catch (error) {
    if (error instanceof CertificateError) return { code: 'amd/crl-malformed', observed: error.observed, nextUpdate: now }
    throw error
  }
  const { nextUpdate } = crl
  const finding = (code: AttestationCode | undefined, observed: Words): RevocationFinding => ({ code, observed, nextUpdate })
  const period = { from: isoTime(crl.thisUpdate), to: isoTime(nextUpdate) }
  const fault = algorithmFault(crl) ?? judgeCrl(crl, root, now)
  if (fault === 'not-yet-valid') return finding('amd/crl-not-yet-valid', say('a list from {from} to {to}', period))
  if (fault === 'expired') return finding('amd/crl-expired', say('a list from {from} to {to}', period))
  if (fault !== undefined) return finding('amd/crl-invalid', fault)
  if (listsSerial(crl, intermediate.certificate.serialNumber)) return finding('amd/intermediate-revoked', say('the intermediate is listed'))
  if (listsSerial(crl, vcek.serialNumber)) return finding('vcek/revoked', say('the chip is listed'))
  return finding(undefined, say('a list from {from} to {to} with neither certificate', period))
}

import type { KeyObject } from 'node:crypto'
import { msg } from '../message.ts'
import type { Text } from '../text.ts'
import { validityAt, type Certificate } from './certificate.ts'
import { CertificateError } from './error.ts'
import { extensionIds, unknownCriticalExtension } from './extensions.ts'
import { isSignedBy, publicKeyOf } from './signature.ts'

export interface CertifiedKey {
  readonly certificate: Certificate
  readonly key: KeyObject
}

/** A certificate of a chain with its key, or why it is not what it should be. */
export type Link = CertifiedKey | { readonly fault: Text }

/**
 * Reads a certificate and its key, and verifies both. An unreadable certificate is a fault of the certificate
 * instead of an error.
 */
export function verifyLink(
  read: () => Certificate,
  faultOf: (certificate: Certificate, key: KeyObject) => Text | undefined,
): Link {
  try {
    const certificate = read()
    const key = publicKeyOf(certificate)
    if (!key) return { fault: msg('a key that can’t be read') }
    const fault = faultOf(certificate, key)
    return fault === undefined ? { certificate, key } : { fault }
  } catch (error) {
    if (error instanceof CertificateError) return { fault: error.observed }
    throw error
  }
}

/** Why a certificate isn't in force, or undefined if it is. @param now Unix ms */
export function validityFault(certificate: Certificate, now: number): Text | undefined {
  switch (validityAt(certificate, now)) {
    case 'valid':
      return undefined
    case 'expired':
      return msg('a certificate that has expired')
    case 'not-yet-valid':
      return msg('a certificate that isn’t valid yet')
  }
}

/** The extensions that the checks of a vendor's chain read. */
const UNDERSTOOD_IN_CHAINS = [extensionIds.basicConstraints, extensionIds.keyUsage]

/**
 * Names a critical extension that the caller doesn't understand, or returns undefined if there is none. RFC
 * 5280 section 4.2 requires that such a certificate is refused.
 *
 * @param understood dotted identifiers; by default those that the checks of a vendor's chain read
 */
export function criticalFault(
  certificate: Certificate,
  understood: readonly string[] = UNDERSTOOD_IN_CHAINS,
): Text | undefined {
  const unknown = unknownCriticalExtension(certificate, understood)
  return unknown === undefined
    ? undefined
    : msg('the critical extension {unknown}, which isn’t understood', { unknown })
}

/**
 * Why the issuer didn't issue this certificate, or undefined if it did. Checks the issuer's name first, then
 * the algorithm, then the signature.
 *
 * @param algorithmFault why the vendor doesn't sign with the algorithm that the certificate states
 */
export function issuedByFault(
  certificate: Certificate,
  issuer: CertifiedKey,
  algorithmFault: (certificate: Certificate) => Text | undefined,
): Text | undefined {
  if (Buffer.compare(certificate.issuer.der, issuer.certificate.subject.der) !== 0)
    return msg('the name of another issuer')
  return (
    algorithmFault(certificate) ??
    (isSignedBy(certificate, issuer.key) ? undefined : msg('an invalid signature'))
  )
}

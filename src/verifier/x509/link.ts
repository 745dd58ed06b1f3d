import type { KeyObject } from 'node:crypto'
import { msg } from '../message.ts'
import type { Text } from '../text.ts'
import type { Certificate } from './certificate.ts'
import { CertificateError } from './error.ts'
import { publicKeyOf } from './signature.ts'

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

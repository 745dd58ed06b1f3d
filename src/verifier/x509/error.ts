import { msg } from '../message.ts'
import { DerError, type DerFault } from '../der/index.ts'
import { EvidenceError } from '../text.ts'

export type CertificateFault =
  | DerFault
  | 'pem'
  | 'version'
  | 'serial-number'
  | 'algorithm-unsupported'
  | 'algorithm-parameters'
  | 'algorithm-mismatch'
  | 'name'
  | 'validity'
  | 'public-key'
  | 'unique-identifier'
  | 'extension-duplicate'
  | 'extension-empty'
  | 'extension-malformed'
  | 'default-encoded'
  | 'extension-critical'
  | 'list-empty'
  | 'list-scope'

/** A certificate or revocation list that breaks RFC 5280, or that this reader doesn't support. */
export class CertificateError extends EvidenceError {
  override name = 'CertificateError'
  readonly fault: CertificateFault
  constructor(fault: CertificateFault) {
    super(msg('a certificate or list in an unexpected form: {fault}', { fault }))
    this.fault = fault
  }
}

/** Runs a reader and rethrows a DerError as CertificateError. */
export function certificateFaults<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof DerError ? new CertificateError(error.fault) : error
  }
}

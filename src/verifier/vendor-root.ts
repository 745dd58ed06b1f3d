import { CertificateError, certificatesFromPem, parseCertificate } from './x509/index.ts'

/**
 * Reads a vendor's root from a PEM text with a single certificate. Returns its DER. Every verdict verifies
 * it. Throws CertificateError.
 */
export function vendorRootFromPem(text: string): Uint8Array {
  const [der, ...more] = certificatesFromPem(text)
  if (!der || more.length > 0) throw new CertificateError('pem')
  return parseCertificate(der).der
}

import { CertificateError, certificatesFromPem, parseCertificate } from './x509/index.ts'

/** The DER of a vendor's root, from a PEM text of that one certificate. Whether it is sound is judged with every verdict. Throws CertificateError. */
export function vendorRootFromPem(text: string): Uint8Array {
  const [der, ...more] = certificatesFromPem(text)
  if (!der || more.length > 0) throw new CertificateError('pem')
  return parseCertificate(der).der
}

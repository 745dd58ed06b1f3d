export type { HashName, SignatureAlgorithm } from './algorithm.ts'
export { parseCertificate, validityAt, type Certificate, type Extension, type PublicKeyAlgorithm } from './certificate.ts'
export { CertificateError, type CertificateFault } from './error.ts'
export {
  basicConstraints,
  dnsNames,
  extendedKeyUsage,
  extensionElement,
  extensionIds,
  keyUsage,
  keyUsages,
  subjectAlternativeNames,
  unknownCriticalExtension,
  type BasicConstraints,
  type GeneralName,
} from './extensions.ts'
export { commonName, type Name } from './name.ts'
export { certificatesFromPem } from './pem.ts'
export { isSignedBy, publicKeyOf } from './signature.ts'

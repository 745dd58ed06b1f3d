export {
  readHashAlgorithm,
  readSignatureAlgorithm,
  type HashName,
  type SignatureAlgorithm,
} from './algorithm.ts'
export {
  parseCertificate,
  validityAt,
  type Certificate,
  type Extension,
  type PublicKeyAlgorithm,
} from './certificate.ts'
export { verifyCrl, listsSerial, parseCrl, type Crl, type CrlFault } from './crl.ts'
export { CertificateError, certificateFaults, type CertificateFault } from './error.ts'
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
export {
  criticalFault,
  issuedByFault,
  validityFault,
  verifyLink,
  type CertifiedKey,
  type Link,
} from './link.ts'
export { COMMON_NAME, commonName, hasExactly, type Name } from './name.ts'
export { certificatesFromPem } from './pem.ts'
export { isSignature, isSignedBy, publicKeyFromSpki, publicKeyOf } from './signature.ts'

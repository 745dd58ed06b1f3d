import { msg } from '../message.ts'
import { otherName, type Text } from '../text.ts'
import {
  basicConstraints,
  COMMON_NAME,
  commonName,
  criticalFault,
  hasExactly,
  issuedByFault,
  keyUsage,
  keyUsages,
  parseCertificate,
  validityFault,
  verifyLink,
  type Certificate,
  type CertifiedKey,
  type Link,
} from '../x509/index.ts'

/**
 * The attributes of the names of Intel's certificates (Intel SGX PCK Certificate and CRL Profile), in
 * addition to the common name.
 */
const INTEL_NAME = [
  ['2.5.4.10', 'Intel Corporation'],
  ['2.5.4.7', 'Santa Clara'],
  ['2.5.4.8', 'CA'],
  ['2.5.4.6', 'US'],
] as const

export const ROOT_NAME = 'Intel SGX Root CA'
export const INTERMEDIATE_NAMES = ['Intel SGX PCK Platform CA', 'Intel SGX PCK Processor CA'] as const
export const PCK_NAME = 'Intel SGX PCK Certificate'
export const TCB_SIGNER_NAME = 'Intel SGX TCB Signing'

const EC_PUBLIC_KEY = '1.2.840.10045.2.1'
const P256 = '1.2.840.10045.3.1.7'

/**
 * The root must be self-signed. The trust set pins its bytes, which identify it as Intel's. @param now Unix
 * ms
 */
export function verifyRoot(der: Uint8Array, now: number): Link {
  return verifyLink(
    () => parseCertificate(der),
    (root, key) =>
      authorityFault(root, [ROOT_NAME], 1) ??
      validityFault(root, now) ??
      issuedByFault(root, { certificate: root, key }, algorithmFault),
  )
}

/** Intel's platform or processor CA, in force and issued by the root. @param now Unix ms */
export function verifyIntermediate(der: Uint8Array, root: CertifiedKey, now: number): Link {
  return verifyLink(
    () => parseCertificate(der),
    (intermediate) =>
      authorityFault(intermediate, INTERMEDIATE_NAMES, 0) ??
      validityFault(intermediate, now) ??
      issuedByFault(intermediate, root, algorithmFault),
  )
}

/** Another step checks its validity period. */
export function verifyPck(der: Uint8Array, intermediate: CertifiedKey): Link {
  return verifyLink(
    () => parseCertificate(der),
    (pck) => endEntityFault(pck, PCK_NAME) ?? issuedByFault(pck, intermediate, algorithmFault),
  )
}

/**
 * The signer of TCB info and of the quoting enclave's identity: in force, and issued by the root itself.
 * @param now Unix ms
 */
export function verifyTcbSigner(der: Uint8Array, root: CertifiedKey, now: number): Link {
  return verifyLink(
    () => parseCertificate(der),
    (signer) =>
      endEntityFault(signer, TCB_SIGNER_NAME) ??
      validityFault(signer, now) ??
      issuedByFault(signer, root, algorithmFault),
  )
}

function nameFault({ subject }: Certificate, names: readonly string[]): Text | undefined {
  const name = commonName(subject)
  const same =
    name !== undefined &&
    names.includes(name) &&
    hasExactly(subject.attributes, [...INTEL_NAME, [COMMON_NAME, name]])
  return same ? undefined : otherName(name, names.join(', '))
}

/** @param below the number of authorities below this one in the chain */
function authorityFault(certificate: Certificate, names: readonly string[], below: number): Text | undefined {
  const constraints = basicConstraints(certificate)
  if (!constraints?.certificateAuthority) return msg('a certificate that may not issue others')
  if (constraints.pathLength !== undefined && constraints.pathLength < below)
    return msg('a path longer than the certificate allows')
  if (!keyUsage(certificate)?.has(keyUsages.keyCertSign)) return msg('a key that may not sign certificates')
  return formFault(certificate, names)
}

function endEntityFault(certificate: Certificate, name: string): Text | undefined {
  if (basicConstraints(certificate)?.certificateAuthority) return msg('a certificate that may issue others')
  if (!keyUsage(certificate)?.has(keyUsages.digitalSignature)) return msg('a key that may not sign')
  return formFault(certificate, [name])
}

function formFault(certificate: Certificate, names: readonly string[]): Text | undefined {
  const { identifier, curve } = certificate.publicKeyAlgorithm
  if (identifier !== EC_PUBLIC_KEY || curve !== P256) return msg('a key that isn’t of P-256')
  return criticalFault(certificate) ?? nameFault(certificate, names)
}

/** Intel signs only with ECDSA and SHA-256. */
function algorithmFault({ signatureAlgorithm: algorithm }: Certificate): Text | undefined {
  return algorithm.scheme === 'ecdsa' && algorithm.hash === 'sha256'
    ? undefined
    : msg('a signature by {scheme}, not as Intel signs', { scheme: algorithm.scheme })
}

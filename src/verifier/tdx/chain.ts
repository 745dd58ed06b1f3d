import { msg } from '../message.ts'
import { otherName, type Text } from '../text.ts'
import {
  basicConstraints,
  commonName,
  extensionIds,
  isSignedBy,
  verifyLink,
  keyUsage,
  keyUsages,
  parseCertificate,
  unknownCriticalExtension,
  validityAt,
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
      issuedByFault(root, { certificate: root, key }),
  )
}

/** Intel's platform or processor CA, in force and issued by the root. @param now Unix ms */
export function verifyIntermediate(der: Uint8Array, root: CertifiedKey, now: number): Link {
  return verifyLink(
    () => parseCertificate(der),
    (intermediate) =>
      authorityFault(intermediate, INTERMEDIATE_NAMES, 0) ??
      validityFault(intermediate, now) ??
      issuedByFault(intermediate, root),
  )
}

/** Another step checks its validity period. */
export function verifyPck(der: Uint8Array, intermediate: CertifiedKey): Link {
  return verifyLink(
    () => parseCertificate(der),
    (pck) => endEntityFault(pck, PCK_NAME) ?? issuedByFault(pck, intermediate),
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
      endEntityFault(signer, TCB_SIGNER_NAME) ?? validityFault(signer, now) ?? issuedByFault(signer, root),
  )
}

function nameFault({ subject }: Certificate, names: readonly string[]): Text | undefined {
  const { attributes } = subject
  const name = commonName(subject)
  const same =
    attributes.length === INTEL_NAME.length + 1 &&
    name !== undefined &&
    names.includes(name) &&
    INTEL_NAME.every(([type, value]) =>
      attributes.some((attribute) => attribute.type === type && attribute.value === value),
    )
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
  const unknown = unknownCriticalExtension(certificate, [
    extensionIds.basicConstraints,
    extensionIds.keyUsage,
  ])
  if (unknown !== undefined)
    return msg('the critical extension {unknown}, which isn’t understood', { unknown })
  return nameFault(certificate, names)
}

function validityFault(certificate: Certificate, now: number): Text | undefined {
  const validity = validityAt(certificate, now)
  return validity === 'valid'
    ? undefined
    : validity === 'expired'
      ? msg('a certificate that has expired')
      : msg('a certificate that isn’t valid yet')
}

/** Intel signs only with ECDSA and SHA-256. */
function issuedByFault(certificate: Certificate, issuer: CertifiedKey): Text | undefined {
  if (Buffer.compare(certificate.issuer.der, issuer.certificate.subject.der) !== 0)
    return msg('the name of another issuer')
  const { signatureAlgorithm: algorithm } = certificate
  if (algorithm.scheme !== 'ecdsa' || algorithm.hash !== 'sha256')
    return msg('a signature by {scheme}, not as Intel signs', { scheme: algorithm.scheme })
  return isSignedBy(certificate, issuer.key) ? undefined : msg('an invalid signature')
}

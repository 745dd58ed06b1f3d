import { msg } from '../message.ts'
import type { Text } from '../text.ts'
import {
  basicConstraints,
  COMMON_NAME,
  criticalFault,
  extensionIds,
  hasExactly,
  issuedByFault,
  keyUsage,
  keyUsages,
  verifyLink,
  type Certificate,
  type CertifiedKey,
  type Link,
} from '../x509/index.ts'

const EC_PUBLIC_KEY = '1.2.840.10045.2.1'
const P384 = '1.3.132.0.34'
/** The subject of the root (AWS, "Nitro Enclaves Attestation Process", section 2.1). */
const ROOT_NAME = [
  ['2.5.4.6', 'US'],
  ['2.5.4.10', 'Amazon'],
  ['2.5.4.11', 'AWS'],
  [COMMON_NAME, 'aws.nitro-enclaves'],
] as const

/**
 * The root must be self-signed. The trust set pins its bytes, which identify it as AWS's.
 * @param below the number of authorities below this one in the chain
 */
export function verifyRoot(root: Certificate, below: number): Link {
  return verifyLink(
    () => root,
    (_, key) =>
      nameFault(root) ??
      authorityFault(root, below) ??
      issuedByFault(root, { certificate: root, key }, algorithmFault),
  )
}

/** @param below the number of authorities below this one in the chain */
export function verifyIntermediate(intermediate: Certificate, issuer: CertifiedKey, below: number): Link {
  return verifyLink(
    () => intermediate,
    () =>
      selfIssuedFault(intermediate) ??
      authorityFault(intermediate, below) ??
      issuedByFault(intermediate, issuer, algorithmFault),
  )
}

/**
 * The machine's own certificate, whose key signs documents and no certificates. Another step checks that it
 * was valid at the document's time.
 */
export function verifyLeaf(leaf: Certificate, issuer: CertifiedKey): Link {
  return verifyLink(
    () => leaf,
    () => endEntityFault(leaf) ?? issuedByFault(leaf, issuer, algorithmFault),
  )
}

function nameFault({ subject }: Certificate): Text | undefined {
  return hasExactly(subject.attributes, ROOT_NAME) ? undefined : msg('a name other than that of AWS’s root')
}

/**
 * AWS section 3.2.3: an authority has critical basicConstraints, may sign certificates, and its path length
 * allows the authorities below it.
 */
function authorityFault(certificate: Certificate, below: number): Text | undefined {
  const constraints = basicConstraints(certificate)
  if (
    !constraints?.certificateAuthority ||
    !certificate.extensions.get(extensionIds.basicConstraints)?.critical
  )
    return msg('a certificate that may not issue others')
  if (constraints.pathLength !== undefined && constraints.pathLength < below)
    return msg('a path longer than the certificate allows')
  if (!keyUsage(certificate)?.has(keyUsages.keyCertSign)) return msg('a key that may not sign certificates')
  return formFault(certificate)
}

function endEntityFault(certificate: Certificate): Text | undefined {
  if (basicConstraints(certificate)?.certificateAuthority) return msg('a certificate that may issue others')
  const usage = keyUsage(certificate)
  if (!usage?.has(keyUsages.digitalSignature) || usage.has(keyUsages.keyCertSign))
    return msg('a key that isn’t for signing documents')
  return formFault(certificate)
}

function formFault(certificate: Certificate): Text | undefined {
  const { identifier, curve } = certificate.publicKeyAlgorithm
  if (identifier !== EC_PUBLIC_KEY || curve !== P384) return msg('a key that isn’t of P-384')
  return criticalFault(certificate)
}

/**
 * RFC 5280 section 6.1 doesn't count self-issued certificates in a path's length. AWS's chains have none
 * below the root.
 */
function selfIssuedFault({ issuer, subject }: Certificate): Text | undefined {
  return Buffer.compare(issuer.der, subject.der) === 0 ? msg('a certificate that issued itself') : undefined
}

/** AWS signs only with ECDSA and SHA-384. */
function algorithmFault({ signatureAlgorithm: algorithm }: Certificate): Text | undefined {
  return algorithm.scheme === 'ecdsa' && algorithm.hash === 'sha384'
    ? undefined
    : msg('a signature by {scheme}, not as AWS signs', { scheme: algorithm.scheme })
}

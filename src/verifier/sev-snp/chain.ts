import type { SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import { otherName, type Text } from '../text.ts'
import {
  basicConstraints,
  COMMON_NAME,
  commonName,
  criticalFault,
  hasExactly,
  isSignature,
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
import type { KeyObject } from 'node:crypto'
import { isZero } from '../is-zero.ts'
import { SIGNED_BYTES } from './report.ts'

/** The attributes of the names of AMD's certificates (AMD 57230), in addition to the common name. */
const AMD_NAME = [
  ['2.5.4.11', 'Engineering'],
  ['2.5.4.6', 'US'],
  ['2.5.4.7', 'Santa Clara'],
  ['2.5.4.8', 'CA'],
  ['2.5.4.10', 'Advanced Micro Devices'],
] as const

const RSA_BITS = 4096
const EC_PUBLIC_KEY = '1.2.840.10045.2.1'
const P384 = '1.3.132.0.34'

/** The common name of a product's root, the ARK (AMD 57230). */
export const rootName = (product: SevProduct) => `ARK-${product}`
/** The common name of the ASK, which signs between the root and the chips (AMD 57230). */
export const intermediateName = (product: SevProduct) => `SEV-${product}`
const VCEK_NAME = 'SEV-VCEK'

/**
 * The root must be self-signed. The trust set pins its bytes, which identify it as AMD's. @param now Unix ms
 */
export function verifyRoot(der: Uint8Array, product: SevProduct, now: number): Link {
  return verifyLink(
    () => parseCertificate(der),
    (root, key) =>
      authorityFault(root, rootName(product), 1) ??
      validityFault(root, now) ??
      issuedByFault(root, { certificate: root, key }, algorithmFault),
  )
}

/**
 * The ASK must be in force and issued by the ARK. The trust set supplies it, but it is checked like any other
 * certificate. @param now Unix ms
 */
export function verifyIntermediate(
  der: Uint8Array,
  root: CertifiedKey,
  product: SevProduct,
  now: number,
): Link {
  return verifyLink(
    () => parseCertificate(der),
    (intermediate) =>
      authorityFault(intermediate, intermediateName(product), 0) ??
      validityFault(intermediate, now) ??
      issuedByFault(intermediate, root, algorithmFault),
  )
}

/** Another step checks its validity period. */
export function verifyVcek(vcek: Certificate, intermediate: CertifiedKey): Link {
  return verifyLink(
    () => vcek,
    () =>
      nameFault(vcek, VCEK_NAME) ?? endEntityFault(vcek) ?? issuedByFault(vcek, intermediate, algorithmFault),
  )
}

function nameFault({ subject }: Certificate, name: string): Text | undefined {
  return hasExactly(subject.attributes, [...AMD_NAME, [COMMON_NAME, name]])
    ? undefined
    : otherName(commonName(subject), name)
}

/** @param below the number of authorities below this one in the chain */
function authorityFault(certificate: Certificate, name: string, below: number): Text | undefined {
  const wrongName = nameFault(certificate, name)
  if (wrongName !== undefined) return wrongName
  const constraints = basicConstraints(certificate)
  if (!constraints?.certificateAuthority) return msg('a certificate that may not issue others')
  if (constraints.pathLength !== undefined && constraints.pathLength < below)
    return msg('a path longer than the certificate allows')
  if (keyUsage(certificate)?.has(keyUsages.keyCertSign) === false)
    return msg('a key that may not sign certificates')
  if (certificate.publicKeyAlgorithm.modulusBits !== RSA_BITS) return msg('a key that isn’t RSA-4096')
  return criticalFault(certificate)
}

function endEntityFault(certificate: Certificate): Text | undefined {
  const { identifier, curve } = certificate.publicKeyAlgorithm
  if (identifier !== EC_PUBLIC_KEY || curve !== P384) return msg('a key that isn’t of P-384')
  if (basicConstraints(certificate)?.certificateAuthority) return msg('a certificate that may issue others')
  if (keyUsage(certificate)?.has(keyUsages.digitalSignature) === false) return msg('a key that may not sign')
  return criticalFault(certificate)
}

/**
 * Checks the signature algorithm of a certificate or a revocation list: AMD signs only with RSASSA-PSS,
 * SHA-384 and a salt of 48 bytes.
 */
export function algorithmFault({
  signatureAlgorithm: algorithm,
}: Pick<Certificate, 'signatureAlgorithm'>): Text | undefined {
  const isAmds =
    algorithm.scheme === 'rsassa-pss' && algorithm.hash === 'sha384' && algorithm.saltLength === 48
  return isAmds ? undefined : msg('a signature by {scheme}, not as AMD signs', { scheme: algorithm.scheme })
}

/** AMD 56860, "Signature": r and s of 72 bytes each, little-endian, then reserved bytes. P-384 fills 48 of the 72. */
const COMPONENT_BYTES = 72
const SCALAR_BYTES = 48

/** Whether the chip's key signed the report, in a signature with no byte that a verifier would not look at. @param report 1184 bytes */
export function isReportSignedBy(report: Uint8Array, key: KeyObject): boolean {
  const signature = new Uint8Array(2 * SCALAR_BYTES)
  for (const index of [0, 1]) {
    const start = SIGNED_BYTES + index * COMPONENT_BYTES
    const component = report.subarray(start, start + COMPONENT_BYTES)
    if (!isZero(component.subarray(SCALAR_BYTES))) return false
    signature.set(component.subarray(0, SCALAR_BYTES).toReversed(), index * SCALAR_BYTES)
  }
  if (!isZero(report.subarray(SIGNED_BYTES + 2 * COMPONENT_BYTES))) return false
  return isSignature(
    'sha384',
    report.subarray(0, SIGNED_BYTES),
    { key, dsaEncoding: 'ieee-p1363' },
    signature,
  )
}

import {
  basicConstraints,
  extensionIds,
  isSignedBy,
  keyUsage,
  keyUsages,
  publicKeyOf,
  unknownCriticalExtension,
  validityAt,
  type Certificate,
} from '../x509/index.ts'

const UNDERSTOOD = Object.values(extensionIds)

/**
 * Whether the first authority issued the leaf, each authority was issued by the next, and the last is
 * self-signed (RFC 5280 section 6.1, without times).
 *
 * @throws {CertificateError} if an extension is malformed
 */
export function isSoundChain(leaf: Certificate, issuers: readonly Certificate[]): boolean {
  if (issuers.length === 0) return false
  let subject = leaf
  for (const [below, issuer] of issuers.entries()) {
    if (!mayIssue(issuer, below) || !isIssuedBy(subject, issuer)) return false
    subject = issuer
  }
  return isIssuedBy(subject, subject)
}

/** @param time Unix ms */
export function areValidAt(certificates: readonly Certificate[], time: number): boolean {
  return certificates.every((certificate) => validityAt(certificate, time) === 'valid')
}

/** @param below the number of authorities below this one */
function mayIssue(certificate: Certificate, below: number): boolean {
  const constraints = basicConstraints(certificate)
  return (
    constraints?.certificateAuthority === true &&
    (constraints.pathLength ?? Infinity) >= below &&
    keyUsage(certificate)?.has(keyUsages.keyCertSign) !== false &&
    unknownCriticalExtension(certificate, UNDERSTOOD) === undefined
  )
}

function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (Buffer.compare(certificate.issuer.der, issuer.subject.der) !== 0) return false
  const key = publicKeyOf(issuer)
  return key !== undefined && isSignedBy(certificate, key)
}

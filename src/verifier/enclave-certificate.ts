import { hash } from 'node:crypto'
import type { AttestationPolicy } from './policy.ts'
import { msg } from './message.ts'
import { labelledBytes } from './certificate-labels.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import type { EvidenceDocument } from './document.ts'
import type { AttestedKeys } from './report-data.ts'
import { isoTime, toHex, type Text } from './text.ts'
import {
  basicConstraints,
  CertificateError,
  certificatesFromPem,
  dnsNames,
  extendedKeyUsage,
  extensionIds,
  parseCertificate,
  unknownCriticalExtension,
  validityAt,
  type Certificate,
} from './x509/index.ts'

export const keyPlan = [
  { id: 'certificate/form', title: 'Enclave’s TLS certificate is a server certificate' },
  { id: 'binding/tls-key', title: 'TLS certificate’s key is attested by the hardware' },
  {
    id: 'certificate/chain',
    title: 'TLS certificate was issued by a public authority',
    required: false,
    claim: true,
  },
  { id: 'certificate/validity', title: 'TLS certificate’s dates include today', claim: true },
] as const satisfies readonly PlannedStep[]

export const hostPlan = [
  { id: 'binding/host', title: 'Evidence names this profile’s enclave host', claim: true },
  { id: 'certificate/host', title: 'TLS certificate names this profile’s enclave host', claim: true },
] as const satisfies readonly PlannedStep[]

export const keyLabelPlan = [
  {
    id: 'binding/hpke-key',
    title: 'TLS certificate names the encryption key attested by the hardware',
    claim: true,
  },
] as const satisfies readonly PlannedStep[]

/** Of a certificate that was issued for the evidence: where evidence is made anew for each request, none is. */
export const documentLabelPlan = [
  { id: 'binding/document', title: 'TLS certificate names this attestation document', claim: true },
] as const satisfies readonly PlannedStep[]

/** RFC 5280 section 4.2.1.12, id-kp-serverAuth. */
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const UNDERSTOOD = Object.values(extensionIds)

/**
 * Binds the enclave's TLS certificate to the attested key before anything else of it is judged.
 * Who issued it is not verified here: its key is attested by the hardware, and to nobody else's does the client talk. Its dates and
 * names are therefore the service's claims; the hardware vouches for the key alone.
 *
 * @param now Unix ms
 */
export function checkKeyBinding(
  checks: Checklist<(typeof keyPlan)[number]['id']>,
  { enclaveCertificate }: EvidenceDocument,
  keys: AttestedKeys,
  now: number,
): Certificate {
  const certificate = takeCertificate(checks, enclaveCertificate)
  const attested = toHex(keys.tlsKeyFingerprint)
  const fingerprint = hash('sha256', certificate.publicKeyInfo, 'hex')
  checks.record(
    'binding/tls-key',
    fingerprint === attested ? undefined : 'binding/tls-key',
    attested,
    fingerprint,
  )
  checks.notChecked(
    'certificate/chain',
    msg('a chain to a public authority'),
    msg('the hardware attests the key itself'),
  )
  const validity = validityAt(certificate, now)
  checks.record(
    'certificate/validity',
    validity === 'valid'
      ? undefined
      : validity === 'expired'
        ? 'certificate/expired'
        : 'certificate/not-yet-valid',
    msg('valid at {time}', { time: isoTime(now) }),
    msg('from {from} to {to}', { from: isoTime(certificate.notBefore), to: isoTime(certificate.notAfter) }),
  )
  return certificate
}

function takeCertificate(checks: Checklist<(typeof keyPlan)[number]['id']>, pem: string): Certificate {
  const expected = msg('one certificate of a server')
  try {
    const [der, ...others] = certificatesFromPem(pem)
    if (!der || others.length > 0)
      return checks.fail(
        'certificate/form',
        'certificate/malformed',
        expected,
        msg('{count} certificates', { count: others.length + 1 }),
      )
    const certificate = parseCertificate(der)
    const fault = serverFault(certificate)
    checks.record(
      'certificate/form',
      fault === undefined ? undefined : 'certificate/unsuitable',
      expected,
      fault ?? expected,
    )
    return certificate
  } catch (error) {
    if (error instanceof CertificateError)
      checks.fail('certificate/form', 'certificate/malformed', expected, error.observed)
    throw error
  }
}

function serverFault(certificate: Certificate): Text | undefined {
  const unknown = unknownCriticalExtension(certificate, UNDERSTOOD)
  if (unknown !== undefined)
    return msg('the critical extension {unknown}, which isn’t understood', { unknown })
  if (basicConstraints(certificate)?.certificateAuthority) return msg('a certificate that may issue others')
  const purposes = extendedKeyUsage(certificate)
  return purposes && !purposes.includes(SERVER_AUTHENTICATION)
    ? msg('a certificate for other purposes')
    : undefined
}

/** Holds the names of certificate and document to the profile's host. Returns those of the certificate. */
export function checkHost(
  checks: Checklist<(typeof hostPlan)[number]['id']>,
  { domain }: EvidenceDocument,
  certificate: Certificate,
  { enclaveHost }: AttestationPolicy,
): readonly string[] {
  checks.record('binding/host', domain === enclaveHost ? undefined : 'binding/host', enclaveHost, domain)
  const names = dnsNames(certificate)
  checks.record(
    'certificate/host',
    names.includes(enclaveHost) ? undefined : 'certificate/host',
    enclaveHost,
    names.join(', '),
  )
  return names
}

/** Holds the key that the certificate's labels name to the attested one. */
export function checkKeyLabel(
  checks: Checklist<(typeof keyLabelPlan)[number]['id']>,
  names: readonly string[],
  { hpkePublicKey }: AttestedKeys,
  { certificateLabelSuffix: suffix }: AttestationPolicy,
): void {
  const key = toHex(hpkePublicKey)
  if (/^0+$/.test(key))
    checks.fail('binding/hpke-key', 'binding/hpke-key-missing', msg('an attested key'), msg('none'))
  const named = labelledBytes(names, 'hpke', suffix)
  checks.record(
    'binding/hpke-key',
    named && toHex(named) === key ? undefined : 'binding/hpke-key',
    key,
    named ? toHex(named) : msg('no key in the names'),
  )
}

/** Holds the document that the certificate's labels name to the one at hand. */
export function checkDocumentLabel(
  checks: Checklist<(typeof documentLabelPlan)[number]['id']>,
  { format, body }: EvidenceDocument,
  names: readonly string[],
  { certificateLabelSuffix: suffix }: AttestationPolicy,
): void {
  const made = hash('sha256', format + body, 'hex')
  const issuedFor = labelledBytes(names, 'hatt', suffix)
  const observed = issuedFor ? Buffer.from(issuedFor).toString('latin1') : undefined
  checks.record(
    'binding/document',
    observed === made ? undefined : 'binding/document',
    made,
    observed ?? msg('no hash in the names'),
  )
}

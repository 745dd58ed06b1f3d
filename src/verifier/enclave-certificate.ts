import { hash } from 'node:crypto'
import type { AttestationPolicy } from './policy.ts'
import { msg } from './message.ts'
import { labelledBytes } from './certificate-labels.ts'
import type { EvidenceDocument } from './document.ts'
import type { AttestedKeys } from './report-data.ts'
import { fail, notChecked, passUnless, Steps, type Authenticated, type Finding } from './steps.ts'
import { toHex, type Text } from './text.ts'
import { validityFinding } from './validity.ts'
import {
  basicConstraints,
  CertificateError,
  certificatesFromPem,
  criticalFault,
  dnsNames,
  extendedKeyUsage,
  extensionIds,
  parseCertificate,
  type Certificate,
} from './x509/index.ts'

/** RFC 5280 section 4.2.1.12, id-kp-serverAuth. */
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const UNDERSTOOD = Object.values(extensionIds)

interface KeyInput {
  readonly document: EvidenceDocument
  readonly keys: Authenticated<AttestedKeys>
  /** Unix ms. */
  readonly now: number
}

/**
 * Binds the enclave's TLS certificate to the attested key before its other contents are checked. Its issuer isn't verified, because the
 * hardware attests its key, and the client only talks to that key. So its dates and names are the service's claims.
 */
export const keyBindingSteps = Steps.of<KeyInput>()
  .add({
    id: 'certificate/form',
    title: 'Enclave’s TLS certificate is a server certificate',
    run: ({ document }) => readCertificate(document.enclaveCertificate),
  })
  .add({
    id: 'binding/tls-key',
    title: 'TLS certificate’s key is attested by the hardware',
    run({ certificate, keys }) {
      const attested = toHex(keys.value.tlsKeyFingerprint)
      const fingerprint = hash('sha256', certificate.publicKeyInfo, 'hex')
      return passUnless(fingerprint === attested ? undefined : 'binding/tls-key', attested, fingerprint)
    },
  })
  .add({
    id: 'certificate/chain',
    title: 'TLS certificate was issued by a public authority',
    required: false,
    claim: true,
    run: () => notChecked(msg('a chain to a public authority'), msg('the hardware attests the key itself')),
  })
  .add({
    id: 'certificate/validity',
    title: 'TLS certificate’s dates include today',
    claim: true,
    run: ({ certificate, now }) =>
      validityFinding(certificate, now, {
        'not-yet-valid': 'certificate/not-yet-valid',
        expired: 'certificate/expired',
      }),
  })
  .note(({ certificate }) => ({ certificate }))

function readCertificate(pem: string): Finding<{ readonly certificate: Certificate }> {
  const expected = msg('one certificate of a server')
  try {
    const [der, ...others] = certificatesFromPem(pem)
    if (!der || others.length > 0)
      return fail(
        'certificate/malformed',
        expected,
        msg('{count} certificates', { count: others.length + 1 }),
      )
    const certificate = parseCertificate(der)
    const fault = serverFault(certificate)
    return passUnless(
      fault === undefined ? undefined : 'certificate/unsuitable',
      expected,
      fault ?? expected,
      { certificate },
    )
  } catch (error) {
    if (error instanceof CertificateError) return fail('certificate/malformed', expected, error.observed)
    throw error
  }
}

function serverFault(certificate: Certificate): Text | undefined {
  const unknown = criticalFault(certificate, UNDERSTOOD)
  if (unknown !== undefined) return unknown
  if (basicConstraints(certificate)?.certificateAuthority) return msg('a certificate that may issue others')
  const purposes = extendedKeyUsage(certificate)
  return purposes && !purposes.includes(SERVER_AUTHENTICATION)
    ? msg('a certificate for other purposes')
    : undefined
}

interface NameInput extends Omit<KeyInput, 'now'> {
  readonly certificate: Certificate
  readonly policy: AttestationPolicy
}

/** Compares the names in certificate and document with the profile's host, and the key that they name with the attested one. */
export const nameSteps = Steps.of<NameInput>()
  .add({
    id: 'binding/host',
    title: 'Evidence names this profile’s enclave host',
    claim: true,
    run: ({ document: { domain }, policy: { enclaveHost } }) =>
      passUnless(domain === enclaveHost ? undefined : 'binding/host', enclaveHost, domain),
  })
  .add({
    id: 'certificate/host',
    title: 'TLS certificate names this profile’s enclave host',
    claim: true,
    run({ certificate, policy: { enclaveHost } }) {
      const names = dnsNames(certificate)
      return passUnless(
        names.includes(enclaveHost) ? undefined : 'certificate/host',
        enclaveHost,
        names.join(', '),
        { names },
      )
    },
  })
  .add({
    id: 'binding/hpke-key',
    title: 'TLS certificate names the encryption key attested by the hardware',
    claim: true,
    run({ names, keys, policy }) {
      const key = toHex(keys.value.hpkePublicKey)
      if (/^0+$/.test(key)) return fail('binding/hpke-key-missing', msg('an attested key'), msg('none'))
      const named = labelledBytes(names, 'hpke', policy.certificateLabelSuffix)
      return passUnless(
        named && toHex(named) === key ? undefined : 'binding/hpke-key',
        key,
        named ? toHex(named) : msg('no key in the names'),
      )
    },
  })

/** Only for a certificate that was issued for the evidence. If evidence is created for each request, none is. */
export const documentNameSteps = Steps.of<
  Pick<NameInput, 'document' | 'policy'> & { names: readonly string[] }
>().add({
  id: 'binding/document',
  title: 'TLS certificate names this attestation document',
  claim: true,
  run({ document: { format, body }, names, policy }) {
    const digest = hash('sha256', format + body, 'hex')
    const issuedFor = labelledBytes(names, 'hatt', policy.certificateLabelSuffix)
    const observed = issuedFor ? Buffer.from(issuedFor).toString('latin1') : undefined
    return passUnless(
      observed === digest ? undefined : 'binding/document',
      digest,
      observed ?? msg('no hash in the names'),
    )
  },
})

import { randomBytes, type KeyObject } from 'node:crypto'
import { base32nopad } from '@scure/base'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha256,
  extendedKeyUsage,
  keyUsage,
  subjectAlternativeName,
  subjectKeyIdentifier,
} from '../der/certificate.ts'
import { day } from '../profile.ts'

/** Bytes as labels of a name: a two-digit index and at most 45 digits of base32 each. */
function labels(bytes: Uint8Array, kind: 'hpke' | 'hatt', suffix: string): { dns: string }[] {
  const chunks =
    base32nopad
      .encode(bytes)
      .toLowerCase()
      .match(/.{1,45}/g) ?? []
  return chunks.map((chunk, index) => ({
    dns: `${String(index).padStart(2, '0')}${chunk}.${kind}.${suffix}`,
  }))
}

const issuerName = distinguishedName(['C', 'US'], ['O', 'Sotto Sandbox Trust Services'], ['CN', 'SB1'])

interface EnclaveCertificateFields {
  readonly host: string
  readonly labelSuffix: string
  /** P-384: the enclave's TLS key. */
  readonly publicKey: KeyObject
  /** 32 bytes, announced as `NN….hpke.<suffix>`. */
  readonly hpkePublicKey: Uint8Array
  /** Lowercase hex of SHA-256 over the document's format and body, announced as text in `NN….hatt.<suffix>`. */
  readonly documentHash: string
  /** Unix ms. */
  readonly at: number
}

/**
 * The certificate for the enclave's TLS: valid for 90 days from an hour before `at`, signed by a simulated
 * web CA (P-256).
 */
export function enclaveCertificate(
  fields: EnclaveCertificateFields,
  caPublicKey: KeyObject,
  caPrivateKey: KeyObject,
): Buffer {
  const notBefore = fields.at - 3600_000
  return certificate(
    {
      serial: Buffer.concat([Buffer.of(0x56), randomBytes(15)]),
      issuer: issuerName,
      subject: distinguishedName(['CN', fields.host]),
      notBefore,
      notAfter: notBefore + 90 * day - 1000,
      publicKey: fields.publicKey,
      extensions: [
        keyUsage('digitalSignature'),
        extendedKeyUsage('serverAuthentication'),
        basicConstraints(false),
        subjectKeyIdentifier(fields.publicKey),
        authorityKeyIdentifier(caPublicKey),
        subjectAlternativeName([
          { dns: fields.host },
          { dns: `*.${fields.host}` },
          ...labels(fields.hpkePublicKey, 'hpke', fields.labelSuffix),
          ...labels(Buffer.from(fields.documentHash), 'hatt', fields.labelSuffix),
        ]),
      ],
    },
    ecdsaSha256(caPrivateKey),
  )
}

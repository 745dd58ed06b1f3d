import { constants, createHash, sign, type KeyObject } from 'node:crypto'
import {
  bitString,
  boolean,
  explicit,
  integer,
  nul,
  octetString,
  oid,
  printableString,
  sequence,
  set,
  time,
  tlv,
  utf8String,
  enumerated,
} from './der.ts'

/** Who signs, and how the signature is announced. */
export interface Signer {
  /** AlgorithmIdentifier. */
  readonly algorithm: Buffer
  sign(data: Uint8Array): Buffer
}

const sha384Identifier = sequence(oid('2.16.840.1.101.3.4.2.2'), nul())

/**
 * RSASSA-PSS with SHA-384 and a salt of 48 bytes (RFC 4055), as AMD signs.
 * @param explicitTrailer AMD's root and intermediate write the default trailer field out, its newer chip certificates do not
 */
export function pssSha384(key: KeyObject, explicitTrailer: boolean): Signer {
  const parameters = sequence(
    explicit(0, sha384Identifier),
    explicit(1, sequence(oid('1.2.840.113549.1.1.8'), sha384Identifier)),
    explicit(2, integer(48)),
    ...(explicitTrailer ? [explicit(3, integer(1))] : []),
  )
  return {
    algorithm: sequence(oid('1.2.840.113549.1.1.10'), parameters),
    sign: (data) => sign('sha384', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }),
  }
}

export function ecdsaSha384(key: KeyObject): Signer {
  return { algorithm: sequence(oid('1.2.840.10045.4.3.3')), sign: (data) => sign('sha384', data, key) }
}

export function ecdsaSha256(key: KeyObject): Signer {
  return { algorithm: sequence(oid('1.2.840.10045.4.3.2')), sign: (data) => sign('sha256', data, key) }
}

const attributeTypes = {
  OU: '2.5.4.11',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  CN: '2.5.4.3',
} as const

/** One attribute for each RDN, in the order given; a country is a PrintableString, all others UTF-8. */
export function distinguishedName(
  ...attributes: readonly (readonly [keyof typeof attributeTypes, string])[]
): Buffer {
  return sequence(
    ...attributes.map(([type, value]) =>
      set(sequence(oid(attributeTypes[type]), type === 'C' ? printableString(value) : utf8String(value))),
    ),
  )
}

/** @param value what extnValue wraps, already encoded */
export function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))
}

export function spkiDer(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

/** RFC 5280 section 4.2.1.2, method 1: SHA-1 of the bits of subjectPublicKey. @param key RSA, P-384 or P-256 */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(subjectPublicKeyBits(key)).digest()
}

function subjectPublicKeyBits(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'der' })
  // An uncompressed point ends the SPKI: 04 || x || y.
  return spkiDer(key).subarray(key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? -97 : -65)
}

export function subjectKeyIdentifier(key: KeyObject): Buffer {
  return extension('2.5.29.14', octetString(keyIdentifier(key)))
}

export function authorityKeyIdentifier(issuerKey: KeyObject): Buffer {
  return extension('2.5.29.35', sequence(tlv(0x80, keyIdentifier(issuerKey))))
}

export function basicConstraints(certificateAuthority: boolean, pathLength?: number): Buffer {
  const parts = certificateAuthority ? [boolean(true)] : []
  if (pathLength !== undefined) parts.push(integer(pathLength))
  return extension('2.5.29.19', sequence(...parts), true)
}

const keyUsages = {
  digitalSignature: bitString(Buffer.of(0x80), 7),
  certificateSign: bitString(Buffer.of(0x04), 2),
  certificateAndCrlSign: bitString(Buffer.of(0x06), 1),
  signatureAndNonRepudiation: bitString(Buffer.of(0xc0), 6),
  signatureCertificateAndCrlSign: bitString(Buffer.of(0x86), 1),
} as const

export function keyUsage(usage: keyof typeof keyUsages, critical = true): Buffer {
  return extension('2.5.29.15', keyUsages[usage], critical)
}

/** RFC 5280 section 4.2.1.13: one point with one URI. */
export function crlDistributionPoint(uri: string): Buffer {
  return extension(
    '2.5.29.31',
    sequence(sequence(explicit(0, explicit(0, tlv(0x86, Buffer.from(uri, 'latin1')))))),
  )
}

const purposes = { serverAuthentication: '1.3.6.1.5.5.7.3.1', codeSigning: '1.3.6.1.5.5.7.3.3' } as const

export function extendedKeyUsage(purpose: keyof typeof purposes): Buffer {
  return extension('2.5.29.37', sequence(oid(purposes[purpose])))
}

/** RFC 5280 section 4.2.1.6: dNSName [2] or uniformResourceIdentifier [6]. */
export function subjectAlternativeName(
  names: readonly ({ readonly dns: string } | { readonly uri: string })[],
  critical = false,
): Buffer {
  const general = names.map((name) =>
    'dns' in name ? tlv(0x82, Buffer.from(name.dns, 'latin1')) : tlv(0x86, Buffer.from(name.uri, 'latin1')),
  )
  return extension('2.5.29.17', sequence(...general), critical)
}

export interface CertificateFields {
  /** Unsigned, big-endian. */
  readonly serial: number | Uint8Array
  readonly issuer: Buffer
  readonly subject: Buffer
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
}

/** TBSCertificate of version 3 (RFC 5280 section 4.1). */
export function tbsCertificate(fields: CertificateFields, signer: Signer): Buffer {
  return sequence(
    explicit(0, integer(2)),
    integer(fields.serial),
    signer.algorithm,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    spkiDer(fields.publicKey),
    explicit(3, sequence(...fields.extensions)),
  )
}

export function certificate(fields: CertificateFields, signer: Signer): Buffer {
  const tbs = tbsCertificate(fields, signer)
  return sequence(tbs, signer.algorithm, bitString(signer.sign(tbs)))
}

/** A certificate as text (RFC 7468). */
export function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const keyCompromise = 1

interface RevocationListFields {
  readonly issuer: Buffer
  readonly issuerPublicKey: KeyObject
  /** Unix ms. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  /** Serial numbers, big-endian. */
  readonly revoked: readonly Uint8Array[]
}

/** CertificateList of version 2 (RFC 5280 section 5.1), with number and issuer key, and a reason for each entry. */
export function revocationList(fields: RevocationListFields, signer: Signer): Buffer {
  const entries = fields.revoked.map((serial) =>
    sequence(
      integer(serial),
      time(fields.thisUpdate),
      sequence(extension('2.5.29.21', enumerated(keyCompromise))),
    ),
  )
  const tbs = sequence(
    integer(1),
    signer.algorithm,
    fields.issuer,
    time(fields.thisUpdate),
    time(fields.nextUpdate),
    // An empty list is omitted.
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    explicit(0, sequence(extension('2.5.29.20', integer(1)), authorityKeyIdentifier(fields.issuerPublicKey))),
  )
  return sequence(tbs, signer.algorithm, bitString(signer.sign(tbs)))
}

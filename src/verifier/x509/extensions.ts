import {
  decodeBoolean,
  decodeIa5,
  decodeNamedBits,
  decodeObjectIdentifier,
  decodeSmallInteger,
  enterSole,
  soleElement,
  tags,
} from '../der/index.ts'
import type { Certificate, Extension } from './certificate.ts'
import { CertificateError, certificateFaults } from './error.ts'

/** RFC 5280 section 4.2.1. */
export const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const

/** The bits of KeyUsage (section 4.2.1.3). */
export const keyUsages = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const

export interface BasicConstraints {
  readonly certificateAuthority: boolean
  readonly pathLength?: number
}

/** `other`: a kind of name that the verifier doesn't read. */
export type GeneralName =
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly value: string }
  | { readonly kind: 'other' }

/**
 * The parsed extensions of RFC 5280 that the verifier supports. Undefined if the certificate has no such
 * extension.
 */
export interface StandardExtensions {
  readonly basicConstraints: BasicConstraints | undefined
  readonly keyUsage: ReadonlySet<number> | undefined
  readonly extendedKeyUsage: readonly string[] | undefined
  readonly subjectAlternativeNames: readonly GeneralName[] | undefined
  readonly subjectKeyIdentifier: Uint8Array | undefined
  readonly authorityKeyIdentifier: Uint8Array | undefined
}

/**
 * Reads all of them when the certificate is parsed. So a certificate with a malformed extension is refused as
 * a whole, and the getters of a parsed certificate never throw.
 *
 * @throws {CertificateError | DerError} if an extension breaks RFC 5280
 */
export function readStandardExtensions(extensions: ReadonlyMap<string, Extension>): StandardExtensions {
  const read = <T>(identifier: string, reader: (value: Uint8Array) => T): T | undefined => {
    const extension = extensions.get(identifier)
    return extension && reader(extension.value)
  }
  return {
    basicConstraints: read(extensionIds.basicConstraints, readBasicConstraints),
    keyUsage: read(extensionIds.keyUsage, (value) => decodeNamedBits(soleElement(value, tags.bitString))),
    extendedKeyUsage: read(extensionIds.extendedKeyUsage, readExtendedKeyUsage),
    subjectAlternativeNames: read(extensionIds.subjectAlternativeName, readAlternativeNames),
    subjectKeyIdentifier: read(extensionIds.subjectKeyIdentifier, (value) =>
      soleElement(value, tags.octetString),
    ),
    authorityKeyIdentifier: read(extensionIds.authorityKeyIdentifier, readAuthorityKeyIdentifier),
  }
}

function readBasicConstraints(value: Uint8Array): BasicConstraints {
  const fields = enterSole(value, tags.sequence)
  const stated = fields.optional(tags.boolean)
  if (stated !== undefined && !decodeBoolean(stated)) throw new CertificateError('default-encoded')
  const certificateAuthority = stated !== undefined
  const length = fields.optional(tags.integer)
  fields.end()
  if (length === undefined) return { certificateAuthority }
  if (!certificateAuthority) throw new CertificateError('extension-malformed')
  return { certificateAuthority, pathLength: decodeSmallInteger(length) }
}

function readExtendedKeyUsage(value: Uint8Array): readonly string[] {
  const purposes: string[] = []
  const fields = enterSole(value, tags.sequence)
  while (!fields.atEnd()) purposes.push(decodeObjectIdentifier(fields.content(tags.objectIdentifier)))
  if (purposes.length === 0) throw new CertificateError('extension-malformed')
  return purposes
}

/** Section 4.2.1.6, implicit tags [1], [2] and [6]. */
const GENERAL_NAMES: ReadonlyMap<number, 'email' | 'dns' | 'uri'> = new Map([
  [tags.primitive(1), 'email'],
  [tags.primitive(2), 'dns'],
  [tags.primitive(6), 'uri'],
])

function readAlternativeNames(value: Uint8Array): readonly GeneralName[] {
  const names: GeneralName[] = []
  const fields = enterSole(value, tags.sequence)
  while (!fields.atEnd()) {
    const { tag, content } = fields.any()
    const kind = GENERAL_NAMES.get(tag)
    names.push(kind ? { kind, value: decodeIa5(content) } : { kind: 'other' })
  }
  if (names.length === 0) throw new CertificateError('extension-malformed')
  return names
}

/** Reads the keyIdentifier (section 4.2.1.1), if present. Ignores other ways to name the issuer. */
function readAuthorityKeyIdentifier(value: Uint8Array): Uint8Array | undefined {
  return enterSole(value, tags.sequence).optional(tags.primitive(0))
}

/** @returns the content of basicConstraints; undefined if the certificate has none */
export function basicConstraints({ standard }: Certificate): BasicConstraints | undefined {
  return standard.basicConstraints
}

/** @returns the bit numbers of keyUsage; undefined if the certificate has none */
export function keyUsage({ standard }: Certificate): ReadonlySet<number> | undefined {
  return standard.keyUsage
}

/** @returns the purposes of extendedKeyUsage, as dotted identifiers; undefined if the certificate has none */
export function extendedKeyUsage({ standard }: Certificate): readonly string[] | undefined {
  return standard.extendedKeyUsage
}

/** @returns the names of subjectAltName, in order; none if the certificate has no such extension */
export function subjectAlternativeNames({ standard }: Certificate): readonly GeneralName[] {
  return standard.subjectAlternativeNames ?? []
}

/** @returns the dNSNames of subjectAltName, in order and with their spelling unchanged */
export function dnsNames(certificate: Certificate): readonly string[] {
  return subjectAlternativeNames(certificate).flatMap((name) => (name.kind === 'dns' ? [name.value] : []))
}

/** @returns the bytes of subjectKeyIdentifier; undefined if the certificate has none */
export function subjectKeyIdentifier({ standard }: Certificate): Uint8Array | undefined {
  return standard.subjectKeyIdentifier
}

/**
 * Returns the first critical extension that the caller doesn't support. RFC 5280 requires the caller to
 * refuse such a certificate (section 4.2) or list (sections 5.2 and 5.3).
 */
export function unknownCriticalExtension(
  { extensions }: Pick<Certificate, 'extensions'>,
  understood: readonly string[],
): string | undefined {
  for (const [identifier, { critical }] of extensions) {
    if (critical && !understood.includes(identifier)) return identifier
  }
  return undefined
}

/**
 * Returns the content of an extension's only element, such as a string or an INTEGER, with nothing after it.
 * Returns undefined if there is no such extension. Throws CertificateError.
 */
export function extensionElement(
  certificate: Pick<Certificate, 'extensions'>,
  identifier: string,
  tag: number,
): Uint8Array | undefined {
  const extension = certificate.extensions.get(identifier)
  return extension && certificateFaults(() => soleElement(extension.value, tag))
}

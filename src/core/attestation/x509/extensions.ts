import { decodeBoolean, decodeIa5, decodeNamedBits, decodeObjectIdentifier, decodeSmallInteger, enterSole, soleElement, tags } from '../der/index.ts'
import { oncePer } from '../parse-once.ts'
import type { Certificate } from './certificate.ts'
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

/** Undefined where the certificate has no basicConstraints. Throws CertificateError. */
export const basicConstraints = reader(extensionIds.basicConstraints, (value): BasicConstraints => {
  const fields = enterSole(value, tags.sequence)
  const stated = fields.optional(tags.boolean)
  if (stated !== undefined && !decodeBoolean(stated)) throw new CertificateError('default-encoded')
  const certificateAuthority = stated !== undefined
  const length = fields.optional(tags.integer)
  fields.end()
  if (length === undefined) return { certificateAuthority }
  if (!certificateAuthority) throw new CertificateError('extension-malformed')
  return { certificateAuthority, pathLength: decodeSmallInteger(length) }
})

/** The bit numbers of keyUsage; undefined where the certificate has none. Throws CertificateError. */
export const keyUsage = reader(extensionIds.keyUsage, (value) => decodeNamedBits(soleElement(value, tags.bitString)))

/** The purposes of extendedKeyUsage; undefined where the certificate has none. Throws CertificateError. */
export const extendedKeyUsage = reader(extensionIds.extendedKeyUsage, (value): readonly string[] => {
  const purposes: string[] = []
  const fields = enterSole(value, tags.sequence)
  while (!fields.atEnd()) purposes.push(decodeObjectIdentifier(fields.content(tags.objectIdentifier)))
  if (purposes.length === 0) throw new CertificateError('extension-malformed')
  return purposes
})

/** `other`: a name of a kind that nothing here reads. */
export type GeneralName =
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly value: string }
  | { readonly kind: 'other' }

/** Section 4.2.1.6, implicit tags [1], [2] and [6]. */
const GENERAL_NAMES: ReadonlyMap<number, 'email' | 'dns' | 'uri'> = new Map([
  [tags.primitive(1), 'email'],
  [tags.primitive(2), 'dns'],
  [tags.primitive(6), 'uri'],
])

const alternativeNames = reader(extensionIds.subjectAlternativeName, (value): readonly GeneralName[] => {
  const names: GeneralName[] = []
  const fields = enterSole(value, tags.sequence)
  while (!fields.atEnd()) {
    const { tag, content } = fields.any()
    const kind = GENERAL_NAMES.get(tag)
    names.push(kind ? { kind, value: decodeIa5(content) } : { kind: 'other' })
  }
  if (names.length === 0) throw new CertificateError('extension-malformed')
  return names
})

/** The names of subjectAltName, in order; none where the certificate has no such extension. Throws CertificateError. */
export function subjectAlternativeNames(certificate: Certificate): readonly GeneralName[] {
  return alternativeNames(certificate) ?? []
}

/** The dNSNames of subjectAltName, as they are spelt and in order. Throws CertificateError. */
export const dnsNames = oncePer((certificate: Certificate): readonly string[] =>
  subjectAlternativeNames(certificate).flatMap((name) => name.kind === 'dns' ? [name.value] : []))

/** The bytes of subjectKeyIdentifier; undefined where the certificate has none. Throws CertificateError. */
export const subjectKeyIdentifier = reader(extensionIds.subjectKeyIdentifier, (value) => soleElement(value, tags.octetString))

/** The keyIdentifier of authorityKeyIdentifier (section 4.2.1.1), where there is one. What else may name the issuer there is not read. Throws CertificateError. */
export function authorityKeyIdentifier(of: Pick<Certificate, 'extensions'>): Uint8Array | undefined {
  return readExtension(of, extensionIds.authorityKeyIdentifier, (value) => enterSole(value, tags.sequence).optional(tags.primitive(0)))
}

/** The first critical extension that is not among those the caller understands: RFC 5280 section 4.2 has it refuse the certificate, 5.2 and 5.3 a list. */
export function unknownCriticalExtension({ extensions }: Pick<Certificate, 'extensions'>, understood: readonly string[]): string | undefined {
  for (const [identifier, { critical }] of extensions) {
    if (critical && !understood.includes(identifier)) return identifier
  }
  return undefined
}

/** A certificate is judged with every verdict that it has a part in; what an extension of it says is read with the first. */
function reader<T>(identifier: string, read: (value: Uint8Array) => T): (certificate: Certificate) => T | undefined {
  return oncePer((certificate) => readExtension(certificate, identifier, read))
}

function readExtension<T>({ extensions }: Pick<Certificate, 'extensions'>, identifier: string, read: (value: Uint8Array) => T): T | undefined {
  const extension = extensions.get(identifier)
  return extension && certificateFaults(() => read(extension.value))
}

/** The content of an extension's one element, such as a string or an INTEGER, with nothing after it; undefined where there is no such extension. Throws CertificateError. */
export function extensionElement(certificate: Pick<Certificate, 'extensions'>, identifier: string, tag: number): Uint8Array | undefined {
  return readExtension(certificate, identifier, (value) => soleElement(value, tag))
}

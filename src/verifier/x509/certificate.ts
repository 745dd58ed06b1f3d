import {
  checkInteger,
  checkNull,
  decodeBoolean,
  decodeObjectIdentifier,
  decodeOctetBits,
  decodeSmallInteger,
  decodeTime,
  DerReader,
  enterSole,
  tags,
} from '../der/index.ts'
import { parseOnce } from '../parse-once.ts'
import { readSignatureAlgorithm, type SignatureAlgorithm } from './algorithm.ts'
import { CertificateError, certificateFaults } from './error.ts'
import { readStandardExtensions, type StandardExtensions } from './extensions.ts'
import { readName, type Name } from './name.ts'

export interface Extension {
  readonly critical: boolean
  /** The content of extnValue. */
  readonly value: Uint8Array
}

/** The algorithm of a public key, with the curve of an EC key or the modulus length of an RSA key. */
export interface PublicKeyAlgorithm {
  readonly identifier: string
  readonly curve?: string
  readonly modulusBits?: number
}

/** An X.509 certificate as its bytes claim. None of it is authenticated here. */
export interface Certificate {
  readonly der: Uint8Array
  /** The signed bytes. */
  readonly tbs: Uint8Array
  /** Big-endian, in DER's shortest form. Zero is allowed, because AMD's chip certificates have it. */
  readonly serialNumber: Uint8Array
  readonly signatureAlgorithm: SignatureAlgorithm
  readonly signature: Uint8Array
  readonly issuer: Name
  readonly subject: Name
  /** Unix ms, both ends inclusive. */
  readonly notBefore: number
  readonly notAfter: number
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Uint8Array
  readonly publicKeyAlgorithm: PublicKeyAlgorithm
  /** By dotted identifier, without duplicates. */
  readonly extensions: ReadonlyMap<string, Extension>
  /** The parsed extensions of RFC 5280. */
  readonly standard: StandardExtensions
}

const MAX_CERTIFICATE = 16 * 1024
/** RFC 5280 section 4.1.2.2 limits serial numbers to 20 bytes. */
const MAX_SERIAL = 20
const VERSION_3 = 2
const EC_PUBLIC_KEY = '1.2.840.10045.2.1'
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'

const once = parseOnce(readCertificate)

/**
 * Parses a version 3 certificate (RFC 5280 section 4.1) strictly, with no bytes left over.
 * Throws CertificateError.
 */
export function parseCertificate(der: Uint8Array): Certificate {
  return certificateFaults(() => once(der))
}

/** @param now Unix ms */
export function validityAt(
  { notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>,
  now: number,
): 'not-yet-valid' | 'valid' | 'expired' {
  if (now < notBefore) return 'not-yet-valid'
  return now <= notAfter ? 'valid' : 'expired'
}

function readCertificate(der: Uint8Array): Certificate {
  if (der.length > MAX_CERTIFICATE) throw new CertificateError('too-large')
  const outer = enterSole(der, tags.sequence)
  const tbs = outer.element(tags.sequence)
  const algorithm = outer.element(tags.sequence)
  const signature = decodeOctetBits(outer.content(tags.bitString))
  outer.end()

  const fields = new DerReader(tbs.content)
  readVersion(fields)
  const serialNumber = readSerialNumber(fields)
  // RFC 5280 section 4.1.1.2: the unsigned algorithm must equal the signed one.
  if (!sameBytes(fields.element(tags.sequence).bytes, algorithm.bytes))
    throw new CertificateError('algorithm-mismatch')
  const issuer = readName(fields.element(tags.sequence))
  const validity = fields.enter(tags.sequence)
  const notBefore = readTime(validity)
  const notAfter = readTime(validity)
  validity.end()
  if (notAfter < notBefore) throw new CertificateError('validity')
  const subject = readName(fields.element(tags.sequence))
  const publicKeyInfo = fields.element(tags.sequence)
  const publicKeyAlgorithm = readPublicKeyAlgorithm(publicKeyInfo.content)
  // RFC 5280 section 4.1.2.8 deprecates [1] and [2], and no authority issues them.
  if (fields.nextTag === tags.primitive(1) || fields.nextTag === tags.primitive(2))
    throw new CertificateError('unique-identifier')
  const extensions = readExtensions(fields.enterOptional(tags.constructed(3)))
  fields.end()

  return {
    der,
    tbs: tbs.bytes,
    serialNumber,
    signatureAlgorithm: readSignatureAlgorithm(new DerReader(algorithm.content)),
    signature,
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKeyInfo: publicKeyInfo.bytes,
    publicKeyAlgorithm,
    extensions,
    standard: readStandardExtensions(extensions),
  }
}

function readVersion(fields: DerReader): void {
  const explicit = fields.enterOptional(tags.constructed(0))
  if (!explicit || decodeSmallInteger(explicit.content(tags.integer)) !== VERSION_3)
    throw new CertificateError('version')
  explicit.end()
}

/**
 * Reads the next INTEGER unchanged: not negative, at most 20 bytes (RFC 5280 section 4.1.2.2). Zero is
 * accepted. Throws CertificateError, DerError.
 */
export function readSerialNumber(fields: DerReader): Uint8Array {
  const serial = checkInteger(fields.content(tags.integer))
  const negative = (serial[0] ?? 0) >= 0x80
  // A leading zero byte keeps a 20-byte number positive.
  if (negative || serial.length > MAX_SERIAL + 1 || (serial.length === MAX_SERIAL + 1 && serial[0] !== 0))
    throw new CertificateError('serial-number')
  return serial
}

/** Reads the next element, a UTCTime or GeneralizedTime, as Unix ms. Throws DerError. */
export function readTime(validity: DerReader): number {
  const { tag, content } = validity.any()
  return decodeTime(tag, content)
}

/**
 * Reads the structure of SubjectPublicKeyInfo (RFC 3279). The cryptographic library checks the key itself.
 */
function readPublicKeyAlgorithm(content: Uint8Array): PublicKeyAlgorithm {
  const fields = new DerReader(content)
  const algorithm = fields.enter(tags.sequence)
  const identifier = decodeObjectIdentifier(algorithm.content(tags.objectIdentifier))
  const curve =
    identifier === EC_PUBLIC_KEY
      ? decodeObjectIdentifier(algorithm.content(tags.objectIdentifier))
      : undefined
  if (identifier === RSA_ENCRYPTION) checkNull(algorithm.content(tags.null))
  algorithm.end()
  const key = decodeOctetBits(fields.content(tags.bitString))
  fields.end()
  if (key.length === 0) throw new CertificateError('public-key')
  if (curve !== undefined) return { identifier, curve }
  return { identifier, ...(identifier === RSA_ENCRYPTION && { modulusBits: readModulusBits(key) }) }
}

/** RSAPublicKey (RFC 8017 appendix A.1.1): modulus and exponent, both positive. */
function readModulusBits(key: Uint8Array): number {
  const fields = enterSole(key, tags.sequence)
  const modulus = checkInteger(fields.content(tags.integer))
  const exponent = checkInteger(fields.content(tags.integer))
  fields.end()
  const [first = 0x80, second = 0] = modulus
  if (first >= 0x80 || (exponent[0] ?? 0x80) >= 0x80) throw new CertificateError('public-key')
  // The leading byte is zero only if the next byte has its highest bit set.
  return first === 0
    ? (modulus.length - 2) * 8 + 32 - Math.clz32(second)
    : (modulus.length - 1) * 8 + 32 - Math.clz32(first)
}

/**
 * Reads extensions by dotted identifier. Returns none if `explicit` is absent. A list that is present must
 * not be empty or contain duplicates (RFC 5280 section 4.2).
 *
 * @param explicit a reader positioned before the SEQUENCE, with nothing after it
 * @throws {CertificateError | DerError}
 */
export function readExtensions(explicit: DerReader | undefined): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>()
  if (!explicit) return extensions
  const sequence = explicit.enter(tags.sequence)
  explicit.end()
  if (sequence.atEnd()) throw new CertificateError('extension-empty')
  while (!sequence.atEnd()) {
    const fields = sequence.enter(tags.sequence)
    const identifier = decodeObjectIdentifier(fields.content(tags.objectIdentifier))
    const stated = fields.optional(tags.boolean)
    const critical = stated !== undefined && decodeBoolean(stated)
    // DER omits default values (X.690 section 11.5).
    if (stated !== undefined && !critical) throw new CertificateError('default-encoded')
    const value = fields.content(tags.octetString)
    fields.end()
    if (extensions.has(identifier)) throw new CertificateError('extension-duplicate')
    extensions.set(identifier, { critical, value })
  }
  return extensions
}

/** Compares byte by byte. Not in constant time, because the data is public. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

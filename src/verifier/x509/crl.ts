import { MAX_REVOCATION_LIST_BYTES } from '../contract.ts'
import {
  checkInteger,
  decodeOctetBits,
  decodeSmallInteger,
  DerReader,
  enterSole,
  soleElement,
  tags,
} from '../der/index.ts'
import { parseOnce } from '../parse-once.ts'
import { readSignatureAlgorithm } from './algorithm.ts'
import {
  readExtensions,
  readSerialNumber,
  readTime,
  sameBytes,
  type Certificate,
  type Extension,
} from './certificate.ts'
import { CertificateError, certificateFaults } from './error.ts'
import {
  extensionIds,
  keyUsage,
  keyUsages,
  readStandardExtensions,
  subjectKeyIdentifier,
  unknownCriticalExtension,
} from './extensions.ts'
import type { CertifiedKey } from './link.ts'
import { readName, type Name } from './name.ts'
import { isSignedBy } from './signature.ts'

/**
 * A complete list of the certificates that an issuer has revoked, as its bytes claim. None of it is
 * authenticated here.
 */
export interface Crl extends Pick<Certificate, 'tbs' | 'signatureAlgorithm' | 'signature'> {
  readonly issuer: Name
  /** The issuer's key that signed, if the list names it. */
  readonly authorityKeyIdentifier?: Uint8Array
  /** Unix ms, both ends inclusive. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  /** Lowercase hex of the serial numbers in DER's shortest form. */
  readonly revoked: ReadonlySet<string>
}

/** Why a list can't be trusted. */
export type CrlFault =
  | 'other-issuer'
  | 'other-key'
  | 'signer-unfit'
  | 'signature'
  | 'not-yet-valid'
  | 'expired'

const VERSION_2 = 1

/** RFC 5280 sections 5.2 and 5.3. */
const crlExtensionIds = {
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  deltaCrlIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
} as const
/** Takes a certificate off the list again. Only delta lists use it. */
const REMOVE_FROM_CRL = 8

const once = parseOnce(readCrl)

/**
 * Strictly parses a version 2 revocation list (RFC 5280 section 5.1) of at most 64 KiB, with no bytes left
 * over. Throws CertificateError.
 *
 * The list must be complete and cover only its own issuer. Refuses delta lists, indirect lists, lists of a
 * distribution point and unknown critical extensions.
 */
export function parseCrl(der: Uint8Array): Crl {
  return certificateFaults(() => once(der))
}

/**
 * Checks that this issuer signed the list, that its key may sign lists, and that the list is in force at
 * `now`. Returns undefined if so. The caller must have verified the issuer's certificate.
 *
 * @param now Unix ms
 */
export function verifyCrl(crl: Crl, issuer: CertifiedKey, now: number): CrlFault | undefined {
  const { certificate, key } = issuer
  if (!sameBytes(crl.issuer.der, certificate.subject.der)) return 'other-issuer'
  const ownKey = subjectKeyIdentifier(certificate)
  if (crl.authorityKeyIdentifier && ownKey && !sameBytes(crl.authorityKeyIdentifier, ownKey))
    return 'other-key'
  if (keyUsage(certificate)?.has(keyUsages.cRLSign) === false) return 'signer-unfit'
  if (!isSignedBy(crl, key)) return 'signature'
  if (now < crl.thisUpdate) return 'not-yet-valid'
  return now <= crl.nextUpdate ? undefined : 'expired'
}

/** Whether the list contains a serial number. The list covers only certificates of its own issuer. */
export function listsSerial(crl: Crl, serialNumber: Uint8Array): boolean {
  return crl.revoked.has(serialText(serialNumber))
}

function readCrl(der: Uint8Array): Crl {
  // Enough for about 1500 entries. A longer list is refused, never truncated.
  if (der.length > MAX_REVOCATION_LIST_BYTES) throw new CertificateError('too-large')
  const outer = enterSole(der, tags.sequence)
  const tbs = outer.element(tags.sequence)
  const algorithm = outer.element(tags.sequence)
  const signature = decodeOctetBits(outer.content(tags.bitString))
  outer.end()

  const fields = new DerReader(tbs.content)
  if (decodeSmallInteger(fields.content(tags.integer)) !== VERSION_2) throw new CertificateError('version')
  // Section 5.1.1.2: the unsigned algorithm must equal the signed one.
  if (!sameBytes(fields.element(tags.sequence).bytes, algorithm.bytes))
    throw new CertificateError('algorithm-mismatch')
  const issuer = readName(fields.element(tags.sequence))
  const thisUpdate = readTime(fields)
  const nextUpdate = readTime(fields)
  if (nextUpdate < thisUpdate) throw new CertificateError('validity')
  const revoked = readEntries(fields.enterOptional(tags.sequence))
  const extensions = readExtensions(fields.enterOptional(tags.constructed(0)))
  fields.end()
  checkListExtensions(extensions)
  const { authorityKeyIdentifier: keyIdentifier } = readStandardExtensions(extensions)

  return {
    tbs: tbs.bytes,
    signatureAlgorithm: readSignatureAlgorithm(new DerReader(algorithm.content)),
    signature,
    issuer,
    ...(keyIdentifier && { authorityKeyIdentifier: keyIdentifier }),
    thisUpdate,
    nextUpdate,
    revoked,
  }
}

function readEntries(entries: DerReader | undefined): ReadonlySet<string> {
  const revoked = new Set<string>()
  if (!entries) return revoked
  // Section 5.1.2.6: the list of entries is absent if it has no entries.
  if (entries.atEnd()) throw new CertificateError('list-empty')
  while (!entries.atEnd()) {
    const entry = entries.enter(tags.sequence)
    const serialNumber = readSerialNumber(entry)
    readTime(entry)
    // Unlike the list's extensions, an entry's extensions have no tag of their own.
    if (!entry.atEnd()) checkEntryExtensions(readExtensions(entry))
    entry.end()
    revoked.add(serialText(serialNumber))
  }
  return revoked
}

/**
 * Extensions that narrow a list are critical by the standard. They are refused even if the list doesn't mark
 * them critical.
 */
function checkListExtensions(extensions: ReadonlyMap<string, Extension>): void {
  if (
    extensions.has(crlExtensionIds.deltaCrlIndicator) ||
    extensions.has(crlExtensionIds.issuingDistributionPoint)
  )
    throw new CertificateError('list-scope')
  if (
    unknownCriticalExtension({ extensions }, [
      extensionIds.authorityKeyIdentifier,
      crlExtensionIds.crlNumber,
    ]) !== undefined
  )
    throw new CertificateError('extension-critical')
  const number = extensions.get(crlExtensionIds.crlNumber)
  if (number) checkInteger(soleElement(number.value, tags.integer))
}

function checkEntryExtensions(extensions: ReadonlyMap<string, Extension>): void {
  if (extensions.has(crlExtensionIds.certificateIssuer)) throw new CertificateError('list-scope')
  if (unknownCriticalExtension({ extensions }, [crlExtensionIds.reasonCode]) !== undefined)
    throw new CertificateError('extension-critical')
  const reason = extensions.get(crlExtensionIds.reasonCode)
  if (reason && decodeSmallInteger(soleElement(reason.value, tags.enumerated)) === REMOVE_FROM_CRL)
    throw new CertificateError('list-scope')
}

function serialText(serialNumber: Uint8Array): string {
  return Buffer.from(serialNumber.buffer, serialNumber.byteOffset, serialNumber.byteLength).toString('hex')
}

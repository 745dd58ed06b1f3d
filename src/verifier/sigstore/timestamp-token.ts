import {
  checkInteger,
  decodeObjectIdentifier,
  decodeSmallInteger,
  decodeTime,
  DerError,
  DerReader,
  encodeDer,
  enterSole,
  tags,
} from '../der/index.ts'
import {
  readHashAlgorithm,
  readSignatureAlgorithm,
  type HashName,
  type SignatureAlgorithm,
} from '../x509/index.ts'

/**
 * A timestamp authority's response as its bytes claim (RFC 3161 section 2.4.2, in the form of RFC 5652 with a
 * single signer).
 */
export interface TimestampToken {
  /** Identify the signer's certificate: DER of the issuer's name, and the serial number. */
  readonly issuer: Uint8Array
  readonly serialNumber: Uint8Array
  /** Unix ms. */
  readonly time: number
  /** The hash of the stamped data. */
  readonly imprint: { readonly hash: HashName; readonly digest: Uint8Array }
  /** DER of TSTInfo, and its digest as the signer states it. */
  readonly info: Uint8Array
  readonly infoHash: HashName
  readonly infoDigest: Uint8Array
  /** The bytes that the signature covers: the signed attributes as a SET (RFC 5652 section 5.4). */
  readonly tbs: Uint8Array
  readonly signatureAlgorithm: SignatureAlgorithm
  readonly signature: Uint8Array
}

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
/** PKIStatus: granted, or granted with modifications. */
const GRANTED = 1

/** Reads a TimeStampResp without authenticating it. Throws DerError, CertificateError. */
export function readTimestampToken(der: Uint8Array): TimestampToken {
  const response = enterSole(der, tags.sequence)
  if (decodeSmallInteger(response.enter(tags.sequence).content(tags.integer)) > GRANTED)
    throw new DerError('integer')
  const contentInfo = response.enter(tags.sequence)
  response.end()
  requireIdentifier(contentInfo, SIGNED_DATA)
  const explicit = contentInfo.enter(tags.constructed(0))
  contentInfo.end()
  const signedData = explicit.enter(tags.sequence)
  explicit.end()
  return readSignedData(signedData)
}

function readSignedData(signedData: DerReader): TimestampToken {
  // RFC 5652 section 5.1: a content type other than data requires version 3.
  requireVersion(signedData, 3)
  const digestAlgorithms = signedData.enter(tags.set)
  while (!digestAlgorithms.atEnd()) readHashAlgorithm(digestAlgorithms.enter(tags.sequence))
  const encapsulated = signedData.enter(tags.sequence)
  requireIdentifier(encapsulated, TST_INFO)
  const explicit = encapsulated.enter(tags.constructed(0))
  encapsulated.end()
  const info = explicit.content(tags.octetString)
  explicit.end()
  // Ignores the token's own certificates and revocation lists, because only those of the trusted root count.
  signedData.optional(tags.constructed(0))
  signedData.optional(tags.constructed(1))
  const signers = signedData.enter(tags.set)
  signedData.end()
  const signer = signers.enter(tags.sequence)
  signers.end()
  return { ...readInfo(info), ...readSigner(signer), info }
}

/** TSTInfo (RFC 3161 section 2.4.2). Refuses extensions, because the verifier understands none. */
function readInfo(der: Uint8Array): Pick<TimestampToken, 'time' | 'imprint'> {
  const fields = enterSole(der, tags.sequence)
  requireVersion(fields, 1)
  fields.content(tags.objectIdentifier)
  const imprint = fields.enter(tags.sequence)
  const hash = readHashAlgorithm(imprint.enter(tags.sequence))
  const digest = imprint.content(tags.octetString)
  imprint.end()
  fields.content(tags.integer)
  const time = decodeGenTime(fields.content(tags.generalizedTime))
  // Skips accuracy, ordering, nonce and the authority's name, which the verifier doesn't use.
  for (const tag of [tags.sequence, tags.boolean, tags.integer, tags.constructed(0)]) fields.optional(tag)
  fields.end()
  return { time, imprint: { hash, digest } }
}

/** SignerInfo (RFC 5652 section 5.3). */
function readSigner(fields: DerReader): Omit<TimestampToken, 'time' | 'imprint' | 'info'> {
  // A signer identified by issuer and serial number requires version 1.
  requireVersion(fields, 1)
  const identifier = fields.enter(tags.sequence)
  const issuer = identifier.element(tags.sequence).bytes
  const serialNumber = checkInteger(identifier.content(tags.integer))
  identifier.end()
  const infoHash = readHashAlgorithm(fields.enter(tags.sequence))
  const attributes = fields.content(tags.constructed(0))
  const signatureAlgorithm = readSignatureAlgorithm(fields.enter(tags.sequence))
  const signature = fields.content(tags.octetString)
  fields.optional(tags.constructed(1))
  fields.end()
  return {
    issuer,
    serialNumber,
    infoHash,
    infoDigest: readInfoDigest(attributes),
    tbs: encodeDer(tags.set, attributes),
    signatureAlgorithm,
    signature,
  }
}

/** Reads the content type and the digest. Each attribute must occur exactly once (RFC 5652 section 11). */
function readInfoDigest(attributes: Uint8Array): Uint8Array {
  const values = new Map<string, DerReader>()
  const reader = new DerReader(attributes)
  while (!reader.atEnd()) {
    const attribute = reader.enter(tags.sequence)
    const identifier = decodeObjectIdentifier(attribute.content(tags.objectIdentifier))
    if (values.has(identifier)) throw new DerError('tag-unexpected')
    values.set(identifier, attribute.enter(tags.set))
    attribute.end()
  }
  const contentType = values.get(CONTENT_TYPE)
  const messageDigest = values.get(MESSAGE_DIGEST)
  if (!contentType || !messageDigest) throw new DerError('truncated')
  requireIdentifier(contentType, TST_INFO)
  contentType.end()
  const digest = messageDigest.content(tags.octetString)
  messageDigest.end()
  return digest
}

function requireVersion(fields: DerReader, expected: number): void {
  if (decodeSmallInteger(fields.content(tags.integer)) !== expected) throw new DerError('integer')
}

function requireIdentifier(fields: DerReader, expected: string): void {
  if (decodeObjectIdentifier(fields.content(tags.objectIdentifier)) !== expected)
    throw new DerError('object-identifier')
}

/** RFC 3161 section 2.4.2: a GeneralizedTime may have a fraction of a second, without trailing zeros. */
const GEN_TIME = /^(\d{14})(?:\.(\d{0,8}[1-9]))?Z$/

/** Returns whole Unix ms. */
function decodeGenTime(content: Uint8Array): number {
  const [, seconds, fraction = ''] = GEN_TIME.exec(Buffer.from(content).toString('latin1')) ?? []
  if (seconds === undefined) throw new DerError('time')
  return (
    decodeTime(tags.generalizedTime, Buffer.from(`${seconds}Z`)) + Number(fraction.slice(0, 3).padEnd(3, '0'))
  )
}

import { type DerReader, checkNull, decodeObjectIdentifier, decodeSmallInteger, tags } from '../der/index.ts'
import { CertificateError } from './error.ts'

export type HashName = 'sha256' | 'sha384' | 'sha512'

export type SignatureAlgorithm =
  | { readonly scheme: 'rsassa-pss'; readonly hash: HashName; readonly saltLength: number }
  | { readonly scheme: 'rsassa-pkcs1-v1_5'; readonly hash: HashName }
  | { readonly scheme: 'ecdsa'; readonly hash: HashName }
  | { readonly scheme: 'ed25519' }

/** RFC 4055, RFC 5758 and RFC 8410. */
const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'
const ED25519 = '1.3.101.112'
const PKCS1: Readonly<Record<string, HashName>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
}
const ECDSA: Readonly<Record<string, HashName>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}
const HASHES: Readonly<Record<string, HashName>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** Reads a signature's AlgorithmIdentifier with its parameters. SHA-1 and everything unknown are refused. Throws CertificateError, DerError. */
export function readSignatureAlgorithm(reader: DerReader): SignatureAlgorithm {
  const identifier = decodeObjectIdentifier(reader.content(tags.objectIdentifier))
  const algorithm = signatureAlgorithm(identifier, reader)
  reader.end()
  return algorithm
}

function signatureAlgorithm(identifier: string, reader: DerReader): SignatureAlgorithm {
  if (identifier === RSASSA_PSS) return readPssParameters(reader.enter(tags.sequence))
  const pkcs1 = PKCS1[identifier]
  if (pkcs1) {
    checkNull(reader.content(tags.null))
    return { scheme: 'rsassa-pkcs1-v1_5', hash: pkcs1 }
  }
  const ecdsa = ECDSA[identifier]
  if (ecdsa) return { scheme: 'ecdsa', hash: ecdsa }
  if (identifier === ED25519) return { scheme: 'ed25519' }
  throw new CertificateError('algorithm-unsupported')
}

/**
 * RSASSA-PSS-params (RFC 4055 section 3.1). Its defaults are SHA-1, so hash, mask and salt have to be stated here, and the mask
 * has to use the same hash. Both forms that AMD issues are read: its roots state the default trailer field, newer chips leave it out.
 */
function readPssParameters(reader: DerReader): SignatureAlgorithm {
  const hash = readHashAlgorithm(explicitSequence(reader, 0))
  const mask = explicitSequence(reader, 1)
  if (decodeObjectIdentifier(mask.content(tags.objectIdentifier)) !== MGF1)
    throw new CertificateError('algorithm-parameters')
  const maskHash = readHashAlgorithm(mask.enter(tags.sequence))
  mask.end()
  const saltLength = readExplicitInteger(reader, 2)
  const trailer = reader.nextTag === tags.constructed(3) ? readExplicitInteger(reader, 3) : 1
  reader.end()
  if (maskHash !== hash || trailer !== 1) throw new CertificateError('algorithm-parameters')
  return { scheme: 'rsassa-pss', hash, saltLength }
}

/** Reads a hash's AlgorithmIdentifier. Its parameters are NULL or absent: RFC 4055 section 2.1 has readers accept both. Throws CertificateError, DerError. */
export function readHashAlgorithm(reader: DerReader): HashName {
  const hash = HASHES[decodeObjectIdentifier(reader.content(tags.objectIdentifier))]
  if (!hash) throw new CertificateError('algorithm-unsupported')
  const parameters = reader.optional(tags.null)
  if (parameters) checkNull(parameters)
  reader.end()
  return hash
}

function explicitSequence(reader: DerReader, number: number): DerReader {
  const explicit = reader.enter(tags.constructed(number))
  const sequence = explicit.enter(tags.sequence)
  explicit.end()
  return sequence
}

function readExplicitInteger(reader: DerReader, number: number): number {
  const explicit = reader.enter(tags.constructed(number))
  const value = decodeSmallInteger(explicit.content(tags.integer))
  explicit.end()
  return value
}

import { msg } from '../message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../strict-json.ts'
import {
  bytesIn,
  bytesListIn,
  matchIn,
  MemberError,
  objectIn,
  objectsIn,
  optionalObjectIn,
  refuseMember,
  textIn,
} from '../json-members.ts'
import type { Text } from '../text.ts'
import { parseCertificate, type Certificate } from '../x509/index.ts'
import type { Envelope } from './dsse.ts'
import { SigstoreRefusal } from './refusal.ts'
import { readTimestampToken, type TimestampToken } from './timestamp-token.ts'

const KIB = 1024
const MEDIA_TYPE = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v0\.3\+json|\+json;version=0\.3)$/
/**
 * proto3's JSON forms of an int64 are a text and a number. Twelve digits keep every number exact and every
 * time a valid Date.
 */
const COUNT = /^\d{1,12}$/
const MAX_LOG_ENTRIES = 8
const MAX_TIMESTAMPS = 8
/** A tree of 2^64 leaves has paths of 64 hashes. */
const MAX_PATH = 64
/** A bundle needs a single signature. Further ones are counted only to report their number. */
const MAX_SIGNATURES = 64

/** An entry of a log of signatures, as the bundle tells it. */
export interface LogEntry {
  readonly logId: Buffer
  /** The entry's index among all entries of the log, over all of its trees. */
  readonly logIndex: number
  /** `kind/version` of the body. */
  readonly type: string
  /** Unix seconds; 0 if the log states no time. */
  readonly integratedTime: number
  /** The signed entry timestamp. */
  readonly promise: Buffer | undefined
  readonly proof: {
    /** The entry's index in the tree. */
    readonly logIndex: number
    readonly treeSize: number
    readonly rootHash: Buffer
    readonly hashes: readonly Buffer[]
    /** A signed note. */
    readonly checkpoint: string
  }
  readonly body: Buffer
}

export interface BundleParts {
  readonly certificate: Certificate
  readonly entries: readonly LogEntry[]
  readonly timestamps: readonly TimestampToken[]
  readonly envelope: Envelope
}

/**
 * Reads the form of Sigstore bundle v0.3 around a DSSE envelope; nothing of it is authenticated yet.
 * Throws SigstoreRefusal `sigstore/bundle-malformed`.
 */
export function readBundle(json: JsonValue): BundleParts {
  if (!isJsonObject(json)) throw malformed(msg('a bundle that isn’t an object'))
  try {
    return readParts(json)
  } catch (error) {
    if (error instanceof SigstoreRefusal) throw error
    throw malformed(
      error instanceof MemberError
        ? error.observed
        : msg('a certificate, log entry or timestamp that can’t be read'),
    )
  }
}

function readParts(json: JsonObject): BundleParts {
  matchIn(json, 'mediaType', MEDIA_TYPE)
  const material = objectIn(json, 'verificationMaterial')
  const envelope = objectIn(json, 'dsseEnvelope')
  refuseMember(json, 'messageSignature')
  refuseMember(material, 'x509CertificateChain')
  refuseMember(material, 'publicKey')
  const signatures = objectsIn(envelope, 'signatures', MAX_SIGNATURES)
  const [signature] = signatures
  // DSSE allows several: then which of them was checked, and which logged, would be a matter of the reader.
  if (!signature || signatures.length > 1)
    throw malformed(msg('{count} signatures instead of one', { count: signatures.length }))
  if (signature['keyid'] !== undefined) textIn(signature, 'keyid', 256)
  const stamps = optionalObjectIn(material, 'timestampVerificationData') ?? {}
  return {
    certificate: parseCertificate(bytesIn(objectIn(material, 'certificate'), 'rawBytes', 16 * KIB)),
    entries: objectsIn(material, 'tlogEntries', MAX_LOG_ENTRIES).map(readLogEntry),
    timestamps: objectsIn(stamps, 'rfc3161Timestamps', MAX_TIMESTAMPS).map((stamp) =>
      readTimestampToken(bytesIn(stamp, 'signedTimestamp', 16 * KIB)),
    ),
    envelope: {
      payload: bytesIn(envelope, 'payload', 1024 * KIB),
      payloadType: textIn(envelope, 'payloadType', 256),
      signature: bytesIn(signature, 'sig', KIB),
    },
  }
}

function readLogEntry(entry: JsonObject): LogEntry {
  const version = objectIn(entry, 'kindVersion')
  const promise = optionalObjectIn(entry, 'inclusionPromise')
  const proof = objectIn(entry, 'inclusionProof')
  return {
    logId: bytesIn(objectIn(entry, 'logId'), 'keyId', 64),
    logIndex: countIn(entry, 'logIndex'),
    type: `${textIn(version, 'kind', 64)}/${textIn(version, 'version', 16)}`,
    integratedTime: entry['integratedTime'] === undefined ? 0 : countIn(entry, 'integratedTime'),
    promise: promise && bytesIn(promise, 'signedEntryTimestamp', KIB),
    proof: {
      logIndex: countIn(proof, 'logIndex'),
      treeSize: countIn(proof, 'treeSize'),
      rootHash: bytesIn(proof, 'rootHash', 32),
      hashes: bytesListIn(proof, 'hashes', MAX_PATH, 32),
      checkpoint: textIn(objectIn(proof, 'checkpoint'), 'envelope', 16 * KIB),
    },
    body: bytesIn(entry, 'canonicalizedBody', 256 * KIB),
  }
}

function countIn(object: JsonObject, name: string): number {
  const value = object[name]
  return Number(matchIn(typeof value === 'number' ? { [name]: String(value) } : object, name, COUNT))
}

function malformed(observed: Text): SigstoreRefusal {
  return new SigstoreRefusal('sigstore/bundle-malformed', observed)
}

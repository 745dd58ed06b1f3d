import { toSignedEntity, type SignedEntity } from '@sigstore/verify'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import { bytesIn, bytesListIn, matchIn, MemberError, objectIn, objectsIn, optionalObjectIn, refuseMember, textIn } from '../json-members.ts'
import { SigstoreRefusal } from './refusal.ts'

const KIB = 1024
const MEDIA_TYPE = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v0\.3\+json|\+json;version=0\.3)$/
/** proto3's JSON forms of an int64 are a text and a number. Twelve digits keep every number exact and every time a valid Date. */
const COUNT = /^\d{1,12}$/
const MAX_LOG_ENTRIES = 8
const MAX_TIMESTAMPS = 8
/** A tree of 2^64 leaves has paths of 64 hashes. */
const MAX_PATH = 64
/** One is asked for; more are counted, to say so. */
const MAX_SIGNATURES = 64

/** What the library takes for a bundle: it is made here from what was read, so that nothing is read twice, or by two readers. */
type LibraryBundle = Parameters<typeof toSignedEntity>[0]
export type LogEntry = SignedEntity['tlogEntries'][number]

export interface BundleParts {
  readonly entity: SignedEntity
  /** DER. */
  readonly certificate: Buffer
  readonly entries: readonly LogEntry[]
  readonly payload: Buffer
  readonly payloadType: string
}

/**
 * Reads the form of Sigstore bundle v0.3 around a DSSE envelope; nothing of it is authenticated yet. The library is handed what this
 * lets through, and nothing else. Throws SigstoreRefusal `sigstore/bundle-malformed`.
 */
export function readBundle(json: JsonValue): BundleParts {
  if (!isJsonObject(json)) throw malformed('a bundle that is no object')
  try {
    return readParts(json)
  } catch (error) {
    if (error instanceof SigstoreRefusal) throw error
    throw malformed(error instanceof MemberError ? error.message : 'a certificate, log entry or timestamp that cannot be read')
  }
}

function readParts(json: JsonObject): BundleParts {
  const mediaType = matchIn(json, 'mediaType', MEDIA_TYPE)
  const material = objectIn(json, 'verificationMaterial')
  const envelope = objectIn(json, 'dsseEnvelope')
  refuseMember(json, 'messageSignature')
  refuseMember(material, 'x509CertificateChain')
  refuseMember(material, 'publicKey')
  const signatures = objectsIn(envelope, 'signatures', MAX_SIGNATURES)
  const [signature] = signatures
  // DSSE allows several: then which of them was checked, and which logged, would be a matter of the reader.
  if (!signature || signatures.length > 1) throw malformed(`${signatures.length} signatures instead of one`)
  const stamps = optionalObjectIn(material, 'timestampVerificationData')
  const certificate = bytesIn(objectIn(material, 'certificate'), 'rawBytes', 16 * KIB)
  const entries = objectsIn(material, 'tlogEntries', MAX_LOG_ENTRIES).map(readLogEntry)
  const payload = bytesIn(envelope, 'payload', 1024 * KIB)
  const payloadType = textIn(envelope, 'payloadType', 256)
  const bundle: LibraryBundle = {
    mediaType,
    verificationMaterial: {
      content: { $case: 'certificate', certificate: { rawBytes: certificate } },
      tlogEntries: entries,
      timestampVerificationData: {
        rfc3161Timestamps: stamps ? objectsIn(stamps, 'rfc3161Timestamps', MAX_TIMESTAMPS).map((stamp) => ({ signedTimestamp: bytesIn(stamp, 'signedTimestamp', 16 * KIB) })) : [],
      },
    },
    content: {
      $case: 'dsseEnvelope',
      dsseEnvelope: { payload, payloadType, signatures: [{ sig: bytesIn(signature, 'sig', KIB), keyid: signature['keyid'] === undefined ? '' : textIn(signature, 'keyid', 256) }] },
    },
  }
  return { entity: toSignedEntity(bundle), certificate, entries, payload, payloadType }
}

function readLogEntry(entry: JsonObject): LogEntry {
  const version = objectIn(entry, 'kindVersion')
  const promise = optionalObjectIn(entry, 'inclusionPromise')
  const proof = objectIn(entry, 'inclusionProof')
  return {
    logIndex: countIn(entry, 'logIndex'),
    logId: { keyId: bytesIn(objectIn(entry, 'logId'), 'keyId', 64) },
    kindVersion: { kind: textIn(version, 'kind', 64), version: textIn(version, 'version', 16) },
    integratedTime: entry['integratedTime'] === undefined ? '0' : countIn(entry, 'integratedTime'),
    inclusionPromise: promise && { signedEntryTimestamp: bytesIn(promise, 'signedEntryTimestamp', KIB) },
    inclusionProof: {
      logIndex: countIn(proof, 'logIndex'),
      rootHash: bytesIn(proof, 'rootHash', 32),
      treeSize: countIn(proof, 'treeSize'),
      hashes: bytesListIn(proof, 'hashes', MAX_PATH, 32),
      checkpoint: { envelope: textIn(objectIn(proof, 'checkpoint'), 'envelope', 16 * KIB) },
    },
    canonicalizedBody: bytesIn(entry, 'canonicalizedBody', 256 * KIB),
  }
}

function countIn(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'number' ? matchIn({ [name]: String(value) }, name, COUNT) : matchIn(object, name, COUNT)
}

function malformed(observed: string): SigstoreRefusal {
  return new SigstoreRefusal('sigstore/bundle-malformed', observed)
}

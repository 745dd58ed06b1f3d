import type { KeyObject } from 'node:crypto'
import { msg } from '../message.ts'
import { isJsonObject, parseStrictJson, type JsonObject } from '../strict-json.ts'
import { bytesIn, objectIn, objectsIn, optionalObjectIn, textIn } from '../json-members.ts'
import { parseTextOnce } from '../parse-once.ts'
import { parseCertificate, publicKeyFromSpki, type Certificate } from '../x509/index.ts'
import { SigstoreRefusal } from './refusal.ts'

/** Unix ms, both ends inclusive. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** A log of signatures (Rekor), or of certificates. */
export interface TrustedLog {
  /** The ID of the log in entries, promises and certificate timestamps. */
  readonly id: Buffer
  /** The names that it may sign checkpoints with: its host, or its address without the scheme. */
  readonly names: readonly string[]
  readonly key: KeyObject
  /** The hash that it signs. null for Ed25519, which hashes internally. */
  readonly hash: 'sha256' | null
  readonly inForce: Period
}

/** An authority for certificates, or for timestamps. */
export interface TrustedAuthority {
  /** From the signing certificate to the root. A timestamp authority's first certificate is its own. */
  readonly chain: readonly Certificate[]
  readonly inForce: Period
}

/** Sigstore's trusted_root.json (protobuf-specs, sigstore_trustroot.proto). */
export interface TrustedRoot {
  readonly certificateAuthorities: readonly TrustedAuthority[]
  readonly timestampAuthorities: readonly TrustedAuthority[]
  readonly certificateLogs: readonly TrustedLog[]
  readonly signatureLogs: readonly TrustedLog[]
}

const MAX_TRUSTED_ROOT = 1 << 20
const MEDIA_TYPE = /^application\/vnd\.dev\.sigstore\.trustedroot(\+json;version=0\.1|\.v0\.[12]\+json)$/
const MAX_INSTANCES = 64
const MAX_CHAIN = 8
const MAX_DER = 16 * 1024

/**
 * PublicKeyDetails of sigstore_common.proto, as far as logs use them. A log with another kind of key is never
 * trusted.
 */
const HASHES: ReadonlyMap<string, 'sha256' | null> = new Map([
  ['PKIX_ECDSA_P256_SHA_256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_2048_SHA256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_3072_SHA256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_4096_SHA256', 'sha256'],
  ['PKIX_ED25519', null],
])

/**
 * Reads the keys and certificates of a trusted_root.json. Every verdict verifies the chains in it again.
 *
 * @throws {SigstoreRefusal} `sigstore/trust-root-invalid`
 */
export function readTrustedRoot(text: string): TrustedRoot {
  if (text.length > MAX_TRUSTED_ROOT)
    throw new SigstoreRefusal('sigstore/trust-root-invalid', msg('a trusted root of over 1 MiB'))
  try {
    return readOnce(text)
  } catch {
    throw new SigstoreRefusal('sigstore/trust-root-invalid', msg('a trusted root that can’t be read'))
  }
}

const readOnce = parseTextOnce((text): TrustedRoot => {
  const json = parseStrictJson(text)
  if (!isJsonObject(json) || !MEDIA_TYPE.test(textIn(json, 'mediaType', 128)))
    throw new RangeError('not a trusted root')
  return {
    certificateAuthorities: objectsIn(json, 'certificateAuthorities', MAX_INSTANCES).map(readAuthority),
    timestampAuthorities: objectsIn(json, 'timestampAuthorities', MAX_INSTANCES).map(readAuthority),
    certificateLogs: objectsIn(json, 'ctlogs', MAX_INSTANCES).flatMap(readLog),
    signatureLogs: objectsIn(json, 'tlogs', MAX_INSTANCES).flatMap(readLog),
  }
})

function readAuthority(authority: JsonObject): TrustedAuthority {
  const chain = objectsIn(objectIn(authority, 'certChain'), 'certificates', MAX_CHAIN).map((one) =>
    parseCertificate(bytesIn(one, 'rawBytes', MAX_DER)),
  )
  return { chain, inForce: readPeriod(authority) }
}

function readLog(log: JsonObject): TrustedLog[] {
  const publicKey = objectIn(log, 'publicKey')
  const hash = HASHES.get(textIn(publicKey, 'keyDetails', 64))
  if (hash === undefined) return []
  const key = publicKeyFromSpki(bytesIn(publicKey, 'rawBytes', MAX_DER))
  if (!key) throw new RangeError('not a key')
  const { host, pathname } = new URL(textIn(log, 'baseUrl', 1024))
  // A log of the second generation uses the ID of its checkpoint key as its own.
  const id = bytesIn(optionalObjectIn(log, 'checkpointKeyId') ?? objectIn(log, 'logId'), 'keyId', 64)
  return [{ id, names: [host, `${host}${pathname}`], key, hash, inForce: readPeriod(publicKey) }]
}

function readPeriod(holder: JsonObject): Period {
  const period = optionalObjectIn(holder, 'validFor') ?? {}
  return { start: timeIn(period, 'start', 0), end: timeIn(period, 'end', Infinity) }
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** A Timestamp in proto3's JSON form. @param open the time to return if the member is absent */
function timeIn(period: JsonObject, name: string, open: number): number {
  if (period[name] === undefined || period[name] === null) return open
  const text = textIn(period, name, 64)
  const time = Date.parse(text)
  if (!TIMESTAMP.test(text) || Number.isNaN(time)) throw new RangeError(`${name} is no time`)
  return time
}

/** @param time Unix ms */
export function within({ start, end }: Period, time: number): boolean {
  return start <= time && time <= end
}

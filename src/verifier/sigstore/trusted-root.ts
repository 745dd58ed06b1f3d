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
  /** What entries, promises and certificate timestamps name it by. */
  readonly id: Buffer
  /** What it may sign checkpoints as: its host, or its whole address without the scheme. */
  readonly names: readonly string[]
  readonly key: KeyObject
  /** What it hashes with before it signs; null: Ed25519, which does that itself. */
  readonly hash: 'sha256' | null
  readonly inForce: Period
}

/** An authority for certificates, or for timestamps. */
export interface TrustedAuthority {
  /** From what signs, which of an authority for timestamps is its own certificate, to the root. */
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

/** PublicKeyDetails of sigstore_common.proto, as far as logs use it. A log of another kind of key is one that nothing is trusted from. */
const HASHES: ReadonlyMap<string, 'sha256' | null> = new Map([
  ['PKIX_ECDSA_P256_SHA_256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_2048_SHA256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_3072_SHA256', 'sha256'],
  ['PKIX_RSA_PKCS1V15_4096_SHA256', 'sha256'],
  ['PKIX_ED25519', null],
])

/**
 * The keys and certificates of a trusted_root.json. Whether a chain in it is sound is judged with every verdict.
 * Throws SigstoreRefusal `sigstore/trust-root-invalid`.
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
  // Of the second generation, the key's id in checkpoints is the log's.
  const id = bytesIn(optionalObjectIn(log, 'checkpointKeyId') ?? objectIn(log, 'logId'), 'keyId', 64)
  return [{ id, names: [host, `${host}${pathname}`], key, hash, inForce: readPeriod(publicKey) }]
}

function readPeriod(holder: JsonObject): Period {
  const period = optionalObjectIn(holder, 'validFor') ?? {}
  return { start: timeIn(period, 'start', 0), end: timeIn(period, 'end', Infinity) }
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** A Timestamp in proto3's JSON form. @param open what counts where there is none */
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

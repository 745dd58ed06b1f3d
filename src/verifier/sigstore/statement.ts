import { msg } from '../message.ts'
import { isJsonObject, parseStrictJson, type JsonObject, type JsonValue } from '../strict-json.ts'
import { MemberError, objectsIn, optionalObjectIn, textIn } from '../json-members.ts'
import { parseOnce } from '../parse-once.ts'
import type { Text } from '../text.ts'
import { SigstoreRefusal } from './refusal.ts'
import type { CodeRegisters } from './types.ts'

export const IN_TOTO_PAYLOAD = 'application/vnd.in-toto+json'
export const STATEMENT_V1 = 'https://in-toto.io/Statement/v1'
/**
 * States a measurement each for SEV-SNP and TDX. The verifier reads measurements only from this predicate.
 */
export const MULTI_PLATFORM_PREDICATE = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'

/** in-toto Statement v1. Only name and digest of a subject are used. */
export interface Statement {
  readonly _type: string
  readonly subject: readonly Subject[]
  readonly predicateType: string
  readonly predicate: JsonValue
}

interface Subject {
  readonly name?: string
  /** By algorithm. */
  readonly digest: Readonly<Record<string, string>>
}

/** The only members that a signed statement may have. An unknown member could change its meaning. */
const MEMBERS: ReadonlySet<string> = new Set(['_type', 'subject', 'predicateType', 'predicate'])

/**
 * Reads the payload of an authenticated envelope. Throws SigstoreRefusal `sigstore/payload-type`,
 * `sigstore/statement-malformed`.
 */
export function readStatement(
  payload: Uint8Array,
  payloadType: string,
  expectedPayloadType = IN_TOTO_PAYLOAD,
): Statement {
  if (payloadType !== expectedPayloadType) throw new SigstoreRefusal('sigstore/payload-type', payloadType)
  const json = parsePayload(payload)
  if (!isJsonObject(json)) throw malformed(msg('a payload that isn’t an object'))
  if (!Object.keys(json).every((name) => MEMBERS.has(name)))
    throw malformed(msg('an unknown member in the statement'))
  try {
    return {
      _type: textIn(json, '_type', Infinity),
      subject: objectsIn(json, 'subject', Infinity).map(readSubject),
      predicateType: textIn(json, 'predicateType', Infinity),
      predicate: json['predicate'] ?? null,
    }
  } catch (error) {
    throw error instanceof MemberError ? malformed(error.observed) : error
  }
}

function readSubject(subject: JsonObject): Subject {
  const stated = optionalObjectIn(subject, 'digest') ?? {}
  return {
    ...(subject['name'] !== undefined && { name: textIn(subject, 'name', Infinity) }),
    digest: Object.fromEntries(
      Object.keys(stated).map((algorithm) => [algorithm, textIn(stated, algorithm, Infinity)]),
    ),
  }
}

function malformed(observed: Text): SigstoreRefusal {
  return new SigstoreRefusal('sigstore/statement-malformed', observed)
}

const parsePayload = parseOnce((payload): JsonValue => {
  try {
    return parseStrictJson(payload)
  } catch {
    throw malformed(msg('a payload that isn’t strict JSON in UTF-8'))
  }
})

/** @param allowed null accepts any type. Throws SigstoreRefusal `sigstore/statement-type`. */
export function requireStatementType({ _type }: Statement, allowed: readonly string[] | null): void {
  if (allowed && !allowed.includes(_type)) throw new SigstoreRefusal('sigstore/statement-type', _type)
}

/** @param allowed null accepts any type. Throws SigstoreRefusal `sigstore/predicate-type`. */
export function requirePredicateType({ predicateType }: Statement, allowed: readonly string[] | null): void {
  if (allowed && !allowed.includes(predicateType))
    throw new SigstoreRefusal('sigstore/predicate-type', predicateType)
}

/**
 * The first subject of the statement must be this file. A verifier that reads only the first subject wouldn't
 * vouch for a later one.
 *
 * @param digest hex SHA-256
 * @throws {SigstoreRefusal} `sigstore/subject-missing`, `sigstore/subject-digest-mismatch`
 */
export function requireSubject({ subject: [first] }: Statement, digest: string): void {
  if (!first) throw new SigstoreRefusal('sigstore/subject-missing', msg('a statement about nothing'))
  const stated = first.digest['sha256']
  if (stated?.toLowerCase() !== digest.toLowerCase())
    throw new SigstoreRefusal('sigstore/subject-digest-mismatch', stated ?? msg('no SHA-256'))
}

/** GitHub's limit for a single attestation. */
const MAX_SUBJECTS = 1024

/**
 * One of the statement's subjects must be this file. For statements whose subjects are all equal in rank.
 *
 * @param digest hex SHA-256
 * @throws {SigstoreRefusal} `sigstore/subject-missing`, `sigstore/subject-digest-mismatch`
 */
export function requireAnySubject({ subject }: Statement, digest: string): void {
  if (subject.length === 0 || subject.length > MAX_SUBJECTS)
    throw new SigstoreRefusal(
      'sigstore/subject-missing',
      msg('a statement about {count} files', { count: subject.length }),
    )
  const stated = subject.map((one) => one.digest['sha256']?.toLowerCase())
  if (!stated.includes(digest.toLowerCase()))
    throw new SigstoreRefusal('sigstore/subject-digest-mismatch', stated[0] ?? msg('no SHA-256'))
}

const MEASUREMENT = /^[0-9a-f]{96}$/

/**
 * Reads the measurements that the release must have. Throws SigstoreRefusal `sigstore/predicate-type`,
 * `sigstore/predicate-member-missing`.
 */
export function readRegisters({ predicateType, predicate }: Statement): CodeRegisters {
  if (predicateType !== MULTI_PLATFORM_PREDICATE)
    throw new SigstoreRefusal('sigstore/predicate-type', predicateType)
  if (!isJsonObject(predicate))
    throw new SigstoreRefusal('sigstore/predicate-member-missing', msg('no predicate'))
  const snp = measurementOf(predicate, 'snp_measurement')
  const tdx = predicate['tdx_measurement']
  if (tdx === undefined) return { snp }
  if (!isJsonObject(tdx)) throw new SigstoreRefusal('sigstore/predicate-member-missing', 'tdx_measurement')
  return { snp, rtmr1: measurementOf(tdx, 'rtmr1'), rtmr2: measurementOf(tdx, 'rtmr2') }
}

/** A register of 48 bytes, as lowercase hex. Throws SigstoreRefusal `sigstore/predicate-member-missing`. */
export function measurementOf(members: JsonObject, name: string): string {
  const value = members[name]
  const hex = typeof value === 'string' ? value.toLowerCase() : ''
  if (!MEASUREMENT.test(hex))
    throw new SigstoreRefusal(
      'sigstore/predicate-member-missing',
      msg('{name} isn’t 48 bytes of hex', { name }),
    )
  return hex
}

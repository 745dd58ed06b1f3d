import type { IncomingHttpHeaders } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'
import { contentCoding, quotable } from './content-coding.ts'
import { requireLive } from './key-limits.ts'
import { hash, randomBytes } from 'node:crypto'

/**
 * Creates a local key of 192 random bits. The hash of so many random bits reveals nothing, so a slow hash isn't needed. A slow
 * hash protects secrets that people choose, and would slow each request down.
 */
export function newLocalKey(): { secret: string; hash: string } {
  const secret = `sk-sotto-${randomBytes(24).toString('base64url')}`
  return { secret, hash: hashOfLocalKey(secret) }
}

/** Returns the stored hash by which a local key is found: SHA-256, hex. */
export function hashOfLocalKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}

export interface LocalKeyRecord {
  readonly id: string
  readonly limits: KeyLimits
  /** The key that Sotto stores with its secret and shows. */
  readonly first?: boolean
  /** Unix ms, if it was revoked. */
  readonly revokedAt?: number
}

/**
 * Finds a local key by `hashOfLocalKey` of the presented credential. Because of the hash, the timing of the
 * lookup reveals nothing.
 */
export type FindLocalKey = (hash: string) => LocalKeyRecord | null

/**
 * Finds the local key of a request. Clients send several credentials if the environment also has a key of the service: then the one that
 * is a valid local key counts.
 *
 * @param now Unix ms, of the clock that limits count by
 * @throws {SottoError} auth/missing-api-key, auth/invalid-api-key, auth/revoked-api-key, auth/expired-api-key
 * @throws {SottoError} auth/ambiguous-api-key – two valid local keys that differ: an unstated order would decide which budget is charged
 */
export function requireLocalKey(
  headers: IncomingHttpHeaders,
  find: FindLocalKey,
  now: number,
): LocalKeyRecord {
  const presented = presentedKeys(headers)
  if (presented.length === 0) throw new SottoError('auth/missing-api-key')
  const known = presented.flatMap((secret) => find(hashOfLocalKey(secret)) ?? [])
  const [valid, ...others] = known.filter((record) => isValid(record, now))
  if (others.length > 0) throw new SottoError('auth/ambiguous-api-key')
  if (valid) return valid
  const [ended] = known
  if (!ended) throw new SottoError('auth/invalid-api-key')
  requireLive(ended.limits, now)
  throw new SottoError('auth/revoked-api-key')
}

/** Whether pages of this origin may send the key. The first key is reserved for programs. @param origin canonical */
export function allowsOrigin(
  { first, limits: { origins } }: Pick<LocalKeyRecord, 'first' | 'limits'>,
  origin: string,
): boolean {
  return first !== true && origins?.includes(origin) === true
}

/** Whether a key is neither revoked nor expired. @param now Unix ms, of the clock for limits */
export function isValid({ revokedAt, limits: { expiresAt } }: LocalKeyRecord, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt)
}

/** The different credentials of `Authorization: Bearer …`, `x-api-key` and `api-key`, in this order, not validated. */
export function presentedKeys(headers: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return [
    ...new Set(
      [bearer, headers['x-api-key'], headers['api-key']].flatMap((key) =>
        typeof key === 'string' && key !== '' ? [key] : [],
      ),
    ),
  ]
}

/**
 * Refuses a body that Sotto can't decode, because every later reader must see the bytes that Sotto checked.
 * @throws {SottoError} proxy/content-encoding – an unknown content coding, or several
 * @throws {SottoError} proxy/charset – any charset but UTF-8 or its subset US-ASCII, or more than one
 * @see RFC 9110 sections 8.3.2 and 8.4
 */
export function requireReadableBody(headers: IncomingHttpHeaders): void {
  contentCoding(headers)
  const [charset = 'utf-8', ...more] = charsetsOf(headers['content-type'] ?? '')
  if (more.length > 0 || !CHARSETS.has(charset))
    throw new SottoError('proxy/charset', {
      toolDetail: `The charset is "${quotable([charset, ...more].join(', '))}".`,
    })
}

const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Returns every charset that a media type names, in lowercase, because another reader may use any of them.
 */
function charsetsOf(type: string): string[] {
  return [...type.matchAll(/;\s*charset\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gi)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').trim().toLowerCase(),
  )
}

/** The accepted media types of a body; undefined for any. */
const MEDIA_TYPES = {
  json: ['application/json'],
  multipart: ['multipart/form-data'],
  'json-or-multipart': ['application/json', 'multipart/form-data'],
  anything: undefined,
} as const

/** The kind of body that a route accepts. An unknown path reads no body, so it refuses none. */
export type AcceptedBody = keyof typeof MEDIA_TYPES | 'unread'

/** The media type of a body, in lowercase and without parameters; undefined if the request names none. */
export function mediaTypeOf(headers: IncomingHttpHeaders): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/**
 * Refuses bodies that any page can send without a preflight: a form or plain text, but not JSON. A route that
 * accepts forms relies on Host, Origin and the key.
 * @throws {SottoError} proxy/content-type
 */
export function requireContentType(headers: IncomingHttpHeaders, accepts: keyof typeof MEDIA_TYPES): void {
  const type = mediaTypeOf(headers)
  const wanted: readonly string[] | undefined = MEDIA_TYPES[accepts]
  if (wanted !== undefined && (type === undefined || !wanted.includes(type)))
    throw new SottoError('proxy/content-type')
}

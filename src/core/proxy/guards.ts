import type { IncomingHttpHeaders } from 'node:http'
import { SottoError } from '../../shared/errors.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'
import { hashOfLocalKey } from './local-key-secret.ts'

export interface LocalKeyRecord {
  readonly id: string
  readonly limits: KeyLimits
  /** The one that Sotto keeps and shows. */
  readonly first?: boolean
  /** Present where it was revoked. */
  readonly revokedAt?: number
}

/** Finds a local key by `hashOfLocalKey` of what was presented; hashing first leaves nothing to time. */
export type FindLocalKey = (hash: string) => LocalKeyRecord | null

/** `Authorization: Bearer …` or `x-api-key`. Throws proxy/key-missing, proxy/key-wrong, proxy/key-revoked. */
export function requireLocalKey(headers: IncomingHttpHeaders, find: FindLocalKey): LocalKeyRecord {
  const presented = presentedKey(headers)
  if (presented === undefined) throw new SottoError('proxy/key-missing')
  const record = find(hashOfLocalKey(presented))
  if (!record) throw new SottoError('proxy/key-wrong')
  if (record.revokedAt !== undefined) throw new SottoError('proxy/key-revoked')
  return record
}

/** As it was sent, unjudged; the bearer's where both headers have one. Undefined where neither has. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const header = headers['x-api-key']
  return typeof header === 'string' && header !== '' ? header : undefined
}

/**
 * Refuses a body that is compressed or in another charset: what Sotto judges must be what every later reader sees.
 *
 * @throws {SottoError} proxy/content-encoding – any Content-Encoding but "identity"
 * @throws {SottoError} proxy/charset – any charset but UTF-8 or its subset US-ASCII, or more than one
 * @see RFC 9110 sections 8.3.2 and 8.4
 */
export function requirePlainText(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': encoding, 'content-type': type } = headers
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim())) throw new SottoError('proxy/content-encoding', { toolDetail: `The Content-Encoding is "${quotable(encoding)}".` })
  const [charset = 'utf-8', ...more] = charsetsOf(type ?? '')
  if (more.length > 0 || !CHARSETS.has(charset)) throw new SottoError('proxy/charset', { toolDetail: `The charset is "${quotable([charset, ...more].join(', '))}".` })
}

const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Every charset that a media type names, in lowercase; a reader of another kind may take any of them. */
function charsetsOf(type: string): string[] {
  return [...type.matchAll(/;\s*charset\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gi)].map(([, quoted, plain]) => (quoted ?? plain ?? '').trim().toLowerCase())
}

/** What a caller wrote, for an error's text. */
function quotable(text: string): string {
  return text.slice(0, 60).replaceAll(/[^\w.,*+ -]/g, '?')
}

/** The media types of a body, by what a route accepts. */
const MEDIA_TYPES = { json: 'application/json', multipart: 'multipart/form-data', anything: undefined } as const

/**
 * A form or a plain-text body can be sent by any page without asking; JSON cannot. A route that takes multipart has Host,
 * Origin and the key between it and a page. Throws proxy/content-type.
 */
export function requireContentType(headers: IncomingHttpHeaders, accepts: keyof typeof MEDIA_TYPES): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const wanted = MEDIA_TYPES[accepts]
  if (wanted !== undefined && type !== wanted) throw new SottoError('proxy/content-type')
}

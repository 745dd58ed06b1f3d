import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { SottoError } from '../../shared/errors.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'

/** Names under which a loopback address may be called; any other is a page's name that was pointed here (DNS rebinding). */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Host and Origin, before anything else is looked at. Throws proxy/host-forbidden, proxy/origin-forbidden. */
export function guardCaller(headers: IncomingHttpHeaders, port: number): void {
  const host = headers.host?.toLowerCase()
  if (!LOOPBACK_NAMES.some((name) => host === `${name}:${String(port)}`)) throw new SottoError('proxy/host-forbidden')
  // Browsers name the page that asks; programs send no Origin. No page has business here.
  if (headers.origin !== undefined) throw new SottoError('proxy/origin-forbidden')
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'none') throw new SottoError('proxy/origin-forbidden')
}

export interface LocalKeyRecord {
  readonly id: string
  readonly limits: KeyLimits
}

/** Finds a local key by the SHA-256 (hex) of what was presented; hashing first leaves nothing to time. */
export type FindLocalKey = (hash: string) => LocalKeyRecord | null

/** `Authorization: Bearer …` or `x-api-key`. Throws proxy/key-missing, proxy/key-wrong. */
export function requireLocalKey(headers: IncomingHttpHeaders, find: FindLocalKey): LocalKeyRecord {
  const presented = presentedKey(headers)
  if (presented === undefined) throw new SottoError('proxy/key-missing')
  const record = find(hash('sha256', presented, 'hex'))
  if (!record) throw new SottoError('proxy/key-wrong')
  return record
}

export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const header = headers['x-api-key']
  return typeof header === 'string' && header !== '' ? header : undefined
}

/** A form or a plain-text body can be sent by any page without asking; JSON cannot. Throws proxy/content-type. */
export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new SottoError('proxy/content-type')
}

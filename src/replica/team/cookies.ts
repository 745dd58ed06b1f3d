import type { IncomingMessage } from 'node:http'
import { SESSION_SECONDS } from './sessions.ts'

/**
 * The cookies of the admin page, with their lifetimes in seconds. A name with `__Host-` can be set only over HTTPS, by this very
 * host, for all its paths.
 */
export const cookies = {
  session: { name: '__Host-sotto-team', seconds: SESSION_SECONDS },
  /** Binds a sign-in to the browser that began it. */
  signIn: { name: '__Host-sotto-sign-in', seconds: 600 },
} as const
type Cookie = (typeof cookies)[keyof typeof cookies]

/**
 * Builds a header. `Lax`, because the browser comes back from the identity provider's site.
 * @param value in base64url, which needs no escapes
 */
export function setCookie({ name, seconds }: Cookie, value: string): string {
  return `${name}=${value}; Path=/; Max-Age=${String(seconds)}; Secure; HttpOnly; SameSite=Lax`
}

export function clearCookie({ name }: Cookie): string {
  return `${name}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`
}

/** @returns undefined without the cookie, and if there are two of its name */
export function readCookie({ headers }: IncomingMessage, { name }: Cookie): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

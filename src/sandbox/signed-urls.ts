import { createHmac, timingSafeEqual } from 'node:crypto'
import { day } from './profile.ts'

/** How long a media URL holds (Limits of the specification). */
const mediaLifetimeMs = day

/** Addresses that carry their own authority: a path, an expiry and an HMAC-SHA256 over both. */
export class SignedUrls {
  readonly #key: Buffer
  readonly #baseUrl: string

  constructor(key: Buffer, baseUrl: string) {
    this.#key = key
    this.#baseUrl = baseUrl
  }

  /**
   * `BASE/path?sig=…&exp=…`
   * @param path absolute, without a query
   * @param now Unix ms
   */
  sign(path: string, now: number): string {
    const expires = Math.floor((now + mediaLifetimeMs) / 1000)
    return `${this.#baseUrl}${path}?sig=${this.#mac(path, String(expires))}&exp=${expires}`
  }

  /**
   * Whether the address in the request line was signed here and hasn't expired: the exact path, with only
   * `sig` and `exp` in the query.
   */
  holds(url: string, now: number): boolean {
    const parts = /^(?<path>[^?#]+)\?sig=(?<sig>[A-Za-z0-9_-]{43})&exp=(?<exp>\d{1,12})$/.exec(url)?.groups
    const { path = '', sig = '', exp = '' } = parts ?? {}
    if (!parts || Number(exp) * 1000 <= now) return false
    return timingSafeEqual(Buffer.from(sig), Buffer.from(this.#mac(path, exp)))
  }

  #mac(path: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${expires}\n${path}`).digest('base64url')
  }
}

import { createHash, randomBytes } from 'node:crypto'

const CODE_LIFETIME_MS = 5 * 60_000
const MAX_CODES = 20

/**
 * Who may use the headless door. An address carries a code that works once and for five minutes; it is exchanged for a
 * token that lives in one tab. Only hashes are kept, so a look-up leaks nothing by its time.
 */
export class DoorSessions {
  readonly #codes = new Map<string, number>()
  readonly #tokens = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  newCode(): string {
    for (const [code, ends] of this.#codes) if (ends <= this.#now() || this.#codes.size >= MAX_CODES) this.#codes.delete(code)
    const code = randomBytes(24).toString('base64url')
    this.#codes.set(hash(code), this.#now() + CODE_LIFETIME_MS)
    return code
  }

  /** A token for a code that was never used and has not ended; null otherwise. */
  exchange(code: string): string | null {
    const ends = this.#codes.get(hash(code))
    this.#codes.delete(hash(code))
    if (ends === undefined || ends <= this.#now()) return null
    const token = randomBytes(32).toString('base64url')
    this.#tokens.add(hash(token))
    return token
  }

  holds(authorization: string | undefined): boolean {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    return token !== undefined && this.#tokens.has(hash(token))
  }
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

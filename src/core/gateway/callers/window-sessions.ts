import { createHash, randomBytes, randomUUID } from 'node:crypto'

const CODE_LIFETIME_MS = 5 * 60_000
const MAX_CODES = 20
/** A window that wasn't used for this long must be opened again. */
const UNUSED_LIFETIME_MS = 30 * 24 * 3_600_000
const MAX_SESSIONS = 200
const MAX_BROWSER_CHARACTERS = 200

/** A browser tab that exchanged a code. Times are Unix ms. */
export interface WindowSession {
  readonly id: string
  readonly openedAt: number
  readonly lastUsedAt: number
  /** The User-Agent header of the exchange: a claim of the browser. */
  readonly browser: string
}

interface Session extends WindowSession {
  lastUsedAt: number
  readonly ended: AbortController
}

/**
 * The browser tabs that may call the core. An address carries a code that works once, within five minutes. A
 * tab exchanges it for a token. Only hashes are stored, so the timing of a lookup reveals nothing. All
 * sessions end with the process.
 */
export class WindowSessions {
  /** Maps the hash of a code to the time at which it expires. */
  readonly #codes = new Map<string, number>()
  /** Maps the hash of a token to its session. */
  readonly #sessions = new Map<string, Session>()
  readonly #now: () => number

  /** @param now - Unix ms */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  newCode(): string {
    for (const [code, expires] of this.#codes)
      if (expires <= this.#now() || this.#codes.size >= MAX_CODES) this.#codes.delete(code)
    const code = randomBytes(24).toString('base64url')
    this.#codes.set(hash(code), this.#now() + CODE_LIFETIME_MS)
    return code
  }

  /** @returns a token for a code that is unused and hasn't expired; null otherwise */
  exchange(code: string, browser = ''): string | null {
    const expires = this.#codes.get(hash(code))
    this.#codes.delete(hash(code))
    if (expires === undefined || expires <= this.#now()) return null
    this.#makeRoom()
    const token = randomBytes(32).toString('base64url')
    const at = this.#now()
    this.#sessions.set(hash(token), {
      id: randomUUID(),
      openedAt: at,
      lastUsedAt: at,
      browser: browser.slice(0, MAX_BROWSER_CHARACTERS),
      ended: new AbortController(),
    })
    return token
  }

  /**
   * Notes the use of the session.
   * @returns the id of the session whose token an Authorization header carries; null if there is none
   */
  find(authorization: string | undefined): string | null {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    if (token === undefined) return null
    this.#endUnused()
    const session = this.#sessions.get(hash(token))
    if (!session) return null
    session.lastUsedAt = this.#now()
    return session.id
  }

  /** Aborted when the session is signed out. @returns an aborted signal for an unknown session */
  ended(id: string): AbortSignal {
    for (const session of this.#sessions.values()) if (session.id === id) return session.ended.signal
    return AbortSignal.abort()
  }

  /** Most recently used first. */
  list(): WindowSession[] {
    this.#endUnused()
    return [...this.#sessions.values()]
      .map(({ id, openedAt, lastUsedAt, browser }) => ({ id, openedAt, lastUsedAt, browser }))
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
  }

  /** Ends the session's token and its running requests. @returns false if there is no such session */
  signOut(id: string): boolean {
    for (const [token, session] of this.#sessions) {
      if (session.id !== id) continue
      this.#end(token, session)
      return true
    }
    return false
  }

  #endUnused(): void {
    const oldest = this.#now() - UNUSED_LIFETIME_MS
    for (const [token, session] of this.#sessions) if (session.lastUsedAt <= oldest) this.#end(token, session)
  }

  /** Ends the session that was unused for longest, so that there is room for one more. */
  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return
    const byUse = [...this.#sessions].sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt)
    for (const [token, session] of byUse.slice(0, this.#sessions.size - MAX_SESSIONS + 1))
      this.#end(token, session)
  }

  #end(token: string, session: Session): void {
    this.#sessions.delete(token)
    session.ended.abort()
  }
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

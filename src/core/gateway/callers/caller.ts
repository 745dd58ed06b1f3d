import type { WindowSessions } from './window-sessions.ts'

/**
 * The origin of the desktop's own page. No other page can have it, because only the desktop process serves
 * the scheme.
 */
export const APP_ORIGIN = 'app://sotto'

/**
 * The authenticated caller of the core. Only the static methods construct one, and each of them checks the
 * credential. A request without authentication therefore can't reach a procedure, even if routing is wrong.
 */
export class Caller {
  /** Distinguishes a constructed caller from an object of the same shape, at run time too. */
  readonly #authenticated = true
  readonly kind: 'window' | 'cli'
  /** Names the browser tab, the desktop's window or the owner, for limits and lists. Not a secret. */
  readonly id: string

  private constructor(kind: Caller['kind'], id: string) {
    this.kind = kind
    this.id = id
  }

  /** A browser tab. @returns null if the Authorization header carries no valid token of a window */
  static fromWindowToken(sessions: WindowSessions, authorization: string | undefined): Caller | null {
    const id = sessions.find(authorization)
    return id === null ? null : new Caller('window', id)
  }

  /** The desktop's page. @param initiator - the origin that Electron, and not the page, states for the request */
  static fromAppPage(initiator: unknown): Caller | null {
    return initiator === APP_ORIGIN ? new Caller('window', 'desktop') : null
  }

  /**
   * The process that created the core, and commands that reach it through the socket that only the owner of
   * the data folder can open. Only createCore calls it (lint): holding a core is the credential.
   */
  static owner(): Caller {
    return new Caller('cli', 'owner')
  }

  static isAuthenticated(value: unknown): value is Caller {
    return typeof value === 'object' && value !== null && #authenticated in value
  }
}

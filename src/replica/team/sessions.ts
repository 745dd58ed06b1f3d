import { createHash, randomBytes } from 'node:crypto'
import type { Statements } from '../database.ts'

/** How long a session of the admin page lasts at most. */
export const SESSION_SECONDS = 8 * 3600

const TOKEN = /^[\w-]{43}$/

/** @returns 32 random bytes in base64url */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The database has only hashes of tokens. @returns null if the text isn't a token */
export function hashOfToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null
}

/**
 * Begins a session of a member, and removes expired ones.
 * @returns its token, which only the browser has
 */
export async function beginSession(statements: Statements, memberId: string): Promise<string> {
  const token = newToken()
  await statements.execute('DELETE FROM team_sessions WHERE expires_at <= clock_timestamp()')
  await statements.execute(
    `INSERT INTO team_sessions (token_hash, member_id, expires_at)
     VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))`,
    [hashOfToken(token), memberId, SESSION_SECONDS],
  )
  return token
}

/** Ends the session of a token at every replica. */
export async function endSession(statements: Pick<Statements, 'execute'>, token: string): Promise<void> {
  await statements.execute('DELETE FROM team_sessions WHERE token_hash = $1', [hashOfToken(token)])
}

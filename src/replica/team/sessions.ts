import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Database, Statements } from '../database.ts'
import { changeTeam } from './change-team.ts'
import type { Identity } from './oidc.ts'

/** How long a session of the admin page lasts at most. */
const SESSION_SECONDS = 8 * 3600

const TOKEN = /^[\w-]{43}$/
const idSchema = z.object({ id: z.string() })

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

/**
 * Begins the session of a person whom the identity provider authenticated. The first sign-in binds an admitted address to the
 * provider's subject. Afterwards only issuer and subject identify the member, because an address can get another owner.
 * @returns the session's token
 * @throws {SottoError} team/not-admitted; database/…
 */
export function signIn(database: Pick<Database, 'transaction'>, identity: Identity): Promise<string> {
  return changeTeam(database, async (statements) => {
    const memberId = (await findBound(statements, identity)) ?? (await bind(statements, identity))
    await statements.execute(
      'UPDATE team_members SET name = $2, last_sign_in_at = clock_timestamp() WHERE id = $1',
      [memberId, identity.name],
    )
    return beginSession(statements, memberId)
  })
}

async function findBound(statements: Statements, { issuer, subject }: Identity): Promise<string | undefined> {
  const [member] = await statements.query(
    idSchema,
    'SELECT id FROM team_members WHERE issuer = $1 AND subject = $2 AND removed_at IS NULL',
    [issuer, subject],
  )
  return member?.id
}

async function bind(statements: Statements, { issuer, subject, email }: Identity): Promise<string> {
  const [member] =
    email === undefined
      ? []
      : await statements.query(
          idSchema,
          `UPDATE team_members SET issuer = $1, subject = $2
           WHERE lower(email) = lower($3) AND subject IS NULL AND removed_at IS NULL RETURNING id`,
          [issuer, subject, email],
        )
  if (!member) throw new SottoError('team/not-admitted')
  return member.id
}

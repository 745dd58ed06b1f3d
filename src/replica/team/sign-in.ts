import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Database, Statements } from '../database.ts'
import { changeTeam } from './change-team.ts'
import type { Identity } from './oidc.ts'
import { beginSession } from './sessions.ts'

const idSchema = z.object({ id: z.string() })

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

import { z } from 'zod'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Database, Statements } from '../database.ts'
import { LOCK_CLASS, locks } from '../migrate.ts'

const uuidSchema = z.uuid()

/**
 * Runs one change of members, groups or owned keys in a transaction. Changes are serial, so that each one sees the result of the
 * others, such as the number of admins. Requests don't wait for this lock.
 */
export function changeTeam<T>(
  database: Pick<Database, 'transaction'>,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  return database.transaction(async (statements) => {
    await statements.execute('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, locks.team])
    return work(statements)
  })
}

/** Requires the form of an ID, because the database refuses other text with an error of its own. @throws {SottoError} `code` */
export function requireId(id: string, code: ErrorCode): string {
  if (!uuidSchema.safeParse(id).success) throw new SottoError(code)
  return id
}

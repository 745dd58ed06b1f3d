import { z } from 'zod'
import { amountSchema } from './ledger-operations.ts'
import type { Database } from './database.ts'
import { LOCK_CLASS, locks } from './migrate.ts'

/** Rows that one statement deletes at most, so that it doesn't hold locks for long. */
const DELETE_LIMIT = 5_000

const absenceSchema = z.object({
  id: z.string(),
  key_id: z.string(),
  key_name: z.string(),
  replica: z.string().nullable(),
  begun_at: z.date(),
  charged: amountSchema,
  found_at: z.date(),
})

/** A request whose receipt is missing, because its replica ended. */
export interface Absence {
  readonly receiptId: string
  readonly keyId: string
  readonly keyName: string
  /** Name of the replica that began it; null if that is no longer recorded. */
  readonly replica: string | null
  /** Unix ms. */
  readonly begunAt: number
  /** The most that it can have cost, in pico-USD. The key was charged this. */
  readonly chargedAtMost: bigint
  /** Unix ms. */
  readonly foundAt: number
}

/**
 * Lists the requests whose receipt is missing, the newest first.
 * @throws {SottoError} database/…
 */
export async function listAbsences(database: Pick<Database, 'query'>, limit = 100): Promise<Absence[]> {
  const rows = await database.query(
    absenceSchema,
    `SELECT absences.id, key_id, local_keys.name AS key_name, replicas.name AS replica, begun_at, charged, found_at
     FROM absences JOIN local_keys ON local_keys.id = key_id LEFT JOIN replicas ON replicas.id = replica_id
     ORDER BY found_at DESC, absences.id LIMIT $1`,
    [limit],
  )
  return rows.map((row) => ({
    receiptId: row.id,
    keyId: row.key_id,
    keyName: row.key_name,
    replica: row.replica,
    begunAt: row.begun_at.getTime(),
    chargedAtMost: row.charged,
    foundAt: row.found_at.getTime(),
  }))
}

/** Deletes old records until none remains. @param days from 1. @throws {SottoError} database/… */
export async function deleteAllOldRecords(
  database: Pick<Database, 'transaction'>,
  days: number,
): Promise<void> {
  while ((await deleteOldRecords(database, days)) > 0);
}

/**
 * Deletes a part of the receipts, absences and ended replicas that are older than the retention period. Spent amounts
 * remain. One replica does this at a time.
 * @param days from 1
 * @returns the number of deleted receipts and absences
 * @throws {SottoError} database/…
 */
export async function deleteOldRecords(
  database: Pick<Database, 'transaction'>,
  days: number,
): Promise<number> {
  return database.transaction(async (statements) => {
    const [lock] = await statements.query(
      z.object({ taken: z.boolean() }),
      'SELECT pg_try_advisory_xact_lock($1, $2) AS taken',
      [LOCK_CLASS, locks.retention],
    )
    if (lock?.taken !== true) return 0
    let deleted = 0
    for (const [table, column] of [
      ['receipts', 'at'],
      ['absences', 'found_at'],
    ] as const)
      deleted += await statements.execute(
        `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM ${table} WHERE ${column} < clock_timestamp() - make_interval(days => $1) LIMIT $2)`,
        [days, DELETE_LIMIT],
      )
    await statements.execute(
      `DELETE FROM replicas WHERE alive_until < clock_timestamp() - make_interval(days => $1)
         AND NOT EXISTS (SELECT 1 FROM requests WHERE replica_id = replicas.id)`,
      [days],
    )
    await statements.execute(
      'DELETE FROM token_seconds WHERE second < extract(epoch FROM clock_timestamp()) - 120',
    )
    return deleted
  })
}

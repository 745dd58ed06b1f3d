import { z } from 'zod'
import { jobKinds } from '../../shared/job-ask.ts'
import { jobRecordSchema, type JobRecord } from '../../shared/job-record.ts'
import { jobStateSchema } from '../../shared/job.ts'
import { listed, parsed, readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const COLUMNS = 'seq, id, at, kind, state, purchase_id, body'
const rowSchema = z.object({
  seq: z.number(),
  id: z.string(),
  at: z.number(),
  kind: z.enum(jobKinds),
  state: jobStateSchema,
  purchase_id: z.string().nullable(),
  body: z.instanceof(Uint8Array),
})
type Row = z.infer<typeof rowSchema>
const idRowSchema = z.object({ id: z.string() })
const purchaseRowSchema = z.object({ purchase_id: z.string().nullable() })
const sealedSchema = jobRecordSchema.omit({ id: true, at: true, state: true, purchaseId: true })

/** Binds the row to its columns: an attacker who can write the file can't mark a job as unsent. */
const place = ({
  id,
  at,
  kind,
  state,
  purchase_id,
}: Pick<Row, 'id' | 'at' | 'kind' | 'state' | 'purchase_id'>) =>
  `jobs/body/${id}/${String(at)}/${kind}/${state}/${String(purchase_id)}`

/**
 * Stores jobs. Each write is fsynced before it returns, because a job that is recorded as sent is sent
 * next.
 */
export function jobsIn(database: SealedDatabase): Store['jobs'] {
  function toJob(row: Row): JobRecord {
    const { id, at, state, purchase_id: purchaseId } = row
    return {
      ...database.unseal(sealedSchema, place(row), row.body),
      id,
      at,
      state,
      ...(purchaseId !== null && { purchaseId }),
    }
  }

  return {
    put(job) {
      const columns = {
        id: job.id,
        at: Math.trunc(job.at),
        kind: job.ask.kind,
        state: job.state,
        purchase_id: job.purchaseId ?? null,
      }
      database.durably(() =>
        database.run(
          `INSERT INTO jobs (id, at, kind, state, purchase_id, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
          at = excluded.at, kind = excluded.kind, state = excluded.state, purchase_id = excluded.purchase_id, body = excluded.body`,
          columns.id,
          columns.at,
          columns.kind,
          columns.state,
          columns.purchase_id,
          database.seal(place(columns), sealedSchema.parse(job)),
        ),
      )
    },
    get(id) {
      const row = database.get(rowSchema, `SELECT ${COLUMNS} FROM jobs WHERE id = ? AND removed = 0`, id)
      return row && toJob(row)
    },
    ofPurchase(purchaseId) {
      const row = database.get(
        rowSchema,
        `SELECT ${COLUMNS} FROM jobs WHERE purchase_id = ? AND removed = 0`,
        purchaseId,
      )
      return row && toJob(row)
    },
    open: () =>
      database
        .all(
          z.unknown(),
          `SELECT ${COLUMNS} FROM jobs WHERE state NOT IN ('done', 'failed', 'stopped', 'lost') AND removed = 0 ORDER BY seq`,
        )
        .flatMap((row) => readOr(() => [toJob(parsed(rowSchema, row))], [])),
    list: ({ kinds, before = Number.MAX_SAFE_INTEGER, limit }) =>
      database
        .all(
          rowSchema,
          `SELECT ${COLUMNS} FROM jobs WHERE seq < ? AND removed = 0 AND (? IS NULL OR kind IN (SELECT value FROM json_each(?))) ORDER BY seq DESC LIMIT ?`,
          before,
          listed(kinds),
          listed(kinds),
          limit,
        )
        .map((row) => ({ place: row.seq, job: toJob(row) })),
    hide: (id) => database.run('UPDATE jobs SET removed = 1 WHERE id = ? AND removed = 0', id) > 0,
    takeBack: (id) => database.run('UPDATE jobs SET removed = 0 WHERE id = ? AND removed = 1', id) > 0,
    hidden: () => database.all(idRowSchema, 'SELECT id FROM jobs WHERE removed = 1').map(({ id }) => id),
    hiddenPurchase: (id) =>
      database.get(purchaseRowSchema, 'SELECT purchase_id FROM jobs WHERE id = ? AND removed = 1', id)
        ?.purchase_id ?? null,
    remove(id) {
      database.transaction(() => {
        database.run('DELETE FROM job_parts WHERE job_id = ?', id)
        database.run('DELETE FROM jobs WHERE id = ?', id)
      })
      database.clearLog()
    },
  }
}

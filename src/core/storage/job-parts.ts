import { z } from 'zod'
import { jobPartSchema } from '../../shared/job-record.ts'
import { rowStateSchema } from '../../shared/job-rows.ts'
import { listed, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ part: z.number(), state: rowStateSchema, body: z.instanceof(Uint8Array) })
type Row = z.infer<typeof rowSchema>
const placeSchema = z.object({ part: z.number() })
const countSchema = z.object({ count: z.number() })
const sealedSchema = jobPartSchema.omit({ part: true, state: true })

/** Binds the row to its columns: an attacker who can write the file can't mark a row as unsent. */
const place = (jobId: string, { part, state }: Pick<Row, 'part' | 'state'>) =>
  `job_parts/body/${jobId}/${String(part)}/${state}`

/**
 * Stores the rows of batches. Each write is fsynced before it returns, because a row that is recorded as
 * sent is sent next.
 */
export function jobPartsIn(database: SealedDatabase): Store['jobParts'] {
  const toPart = (jobId: string, row: Row) => ({
    ...database.unseal(sealedSchema, place(jobId, row), row.body),
    part: row.part,
    state: row.state,
  })

  return {
    put(jobId, part) {
      database.durably(() =>
        database.run(
          'INSERT INTO job_parts (job_id, part, state, body) VALUES (?, ?, ?, ?) ON CONFLICT (job_id, part) DO UPDATE SET state = excluded.state, body = excluded.body',
          jobId,
          part.part,
          part.state,
          database.seal(place(jobId, part), sealedSchema.parse(part)),
        ),
      )
    },
    get(jobId, part) {
      const row = database.get(
        rowSchema,
        'SELECT part, state, body FROM job_parts WHERE job_id = ? AND part = ?',
        jobId,
        part,
      )
      return row && toPart(jobId, row)
    },
    list: (jobId, { from, limit, states }) =>
      database
        .all(
          rowSchema,
          'SELECT part, state, body FROM job_parts WHERE job_id = ? AND part >= ? AND (? IS NULL OR state IN (SELECT value FROM json_each(?))) ORDER BY part LIMIT ?',
          jobId,
          from,
          listed(states),
          listed(states),
          limit,
        )
        .map((row) => toPart(jobId, row)),
    nth: (jobId, { skip, limit, states }) =>
      database
        .all(
          rowSchema,
          'SELECT part, state, body FROM job_parts WHERE job_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY part LIMIT ? OFFSET ?',
          jobId,
          listed(states),
          limit,
          skip,
        )
        .map((row) => toPart(jobId, row)),
    places: (jobId, states) =>
      database
        .all(
          placeSchema,
          'SELECT part FROM job_parts WHERE job_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY part',
          jobId,
          listed(states),
        )
        .map(({ part }) => part),
    count: (jobId, states) =>
      database.get(
        countSchema,
        'SELECT COUNT(*) AS count FROM job_parts WHERE job_id = ? AND state IN (SELECT value FROM json_each(?))',
        jobId,
        listed(states),
      )?.count ?? 0,
  }
}

import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import { keyLimitsTextSchema, readKeyLimits, type KeyLimits } from '../shared/key-limits.ts'
import type { Statements } from './database.ts'
import { firstDays, readSums, sumColumns, SUMS, type PeriodSums } from './period-sums.ts'

const DAY_MS = 86_400_000

const clockSchema = z.object({ now: z.number() })
const keySchema = z.object({
  id: z.string(),
  limits: keyLimitsTextSchema.transform(readKeyLimits),
  revoked: z.boolean(),
  owner_id: z.string().nullable(),
  ...sumColumns,
})
/** One key's limits and amounts, in pico-USD. They are exact while its ledger is locked. */
export interface KeyAmounts {
  readonly limits: KeyLimits
  readonly revoked: boolean
  /** ID of the member whose budget counts too. */
  readonly ownerId: string | null
  readonly sums: PeriodSums
}

/**
 * Reads the database's clock.
 * @returns Unix ms, and the day (UTC) in days since 1970-01-01
 * @throws {SottoError} database/…
 */
export async function readClock(
  statements: Pick<Statements, 'query'>,
): Promise<{ readonly now: number; readonly day: number }> {
  const [clock] = await statements.query(
    clockSchema,
    'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now',
  )
  if (!clock) throw new SottoError('database/damaged')
  return { now: clock.now, day: Math.floor(clock.now / DAY_MS) }
}

/**
 * Reads the limits and the amounts of keys in the current day, week and month, and in total.
 * @param day of the database's clock. Charges of later days count in each period
 * @throws {SottoError} database/…
 */
export async function readKeyAmounts(
  statements: Pick<Statements, 'query'>,
  keyIds: readonly string[],
  day: number,
): Promise<Map<string, KeyAmounts>> {
  const rows = await statements.query(
    keySchema,
    `SELECT local_keys.id, limits, revoked_at IS NOT NULL AS revoked, owner_id, ${SUMS}
     FROM local_keys LEFT JOIN key_days ON key_days.key_id = local_keys.id
     WHERE local_keys.id = ANY($1::uuid[]) GROUP BY local_keys.id`,
    [keyIds, ...firstDays(day)],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { limits: row.limits, revoked: row.revoked, ownerId: row.owner_id, sums: readSums(row) },
    ]),
  )
}

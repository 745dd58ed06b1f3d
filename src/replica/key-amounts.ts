import { z } from 'zod'
import { daysOf } from '../core/payments/index.ts'
import { SottoError } from '../shared/errors.ts'
import {
  keyLimitsTextSchema,
  readKeyLimits,
  type BudgetPeriod,
  type KeyLimits,
} from '../shared/key-limits.ts'
import type { Statements } from './database.ts'
import { amountSchema } from './ledger-operations.ts'

const DAY_MS = 86_400_000

const clockSchema = z.object({ now: z.number() })
const keySchema = z.object({
  id: z.string(),
  limits: keyLimitsTextSchema.transform(readKeyLimits),
  revoked: z.boolean(),
  day_spent: amountSchema,
  day_reserved: amountSchema,
  week_spent: amountSchema,
  week_reserved: amountSchema,
  month_spent: amountSchema,
  month_reserved: amountSchema,
  total_spent: amountSchema,
  total_reserved: amountSchema,
})
/** One key's limits and amounts, in pico-USD. They are exact while its ledger is locked. */
export interface KeyAmounts {
  readonly limits: KeyLimits
  readonly revoked: boolean
  readonly sums: Readonly<Record<BudgetPeriod, { readonly spent: bigint; reserved: bigint }>>
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
    `SELECT local_keys.id, limits, revoked_at IS NOT NULL AS revoked,
       coalesce(sum(spent) FILTER (WHERE day >= $2), 0) AS day_spent,
       coalesce(sum(reserved) FILTER (WHERE day >= $2), 0) AS day_reserved,
       coalesce(sum(spent) FILTER (WHERE day >= $3), 0) AS week_spent,
       coalesce(sum(reserved) FILTER (WHERE day >= $3), 0) AS week_reserved,
       coalesce(sum(spent) FILTER (WHERE day >= $4), 0) AS month_spent,
       coalesce(sum(reserved) FILTER (WHERE day >= $4), 0) AS month_reserved,
       coalesce(sum(spent), 0) AS total_spent,
       coalesce(sum(reserved), 0) AS total_reserved
     FROM local_keys LEFT JOIN key_days ON key_days.key_id = local_keys.id
     WHERE local_keys.id = ANY($1::uuid[]) GROUP BY local_keys.id`,
    [keyIds, day, daysOf('week', day).from, daysOf('month', day).from],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        limits: row.limits,
        revoked: row.revoked,
        sums: {
          day: { spent: row.day_spent, reserved: row.day_reserved },
          week: { spent: row.week_spent, reserved: row.week_reserved },
          month: { spent: row.month_spent, reserved: row.month_reserved },
          total: { spent: row.total_spent, reserved: row.total_reserved },
        },
      },
    ]),
  )
}

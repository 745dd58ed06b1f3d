import { z } from 'zod'
import { requireTokensLeft, takeRequest } from '../core/gateway/proxy/index.ts'
import { daysOf, requireCover } from '../core/payments/index.ts'
import { usableBudget } from '../shared/budget-use.ts'
import { SottoError } from '../shared/errors.ts'
import {
  keyLimitsTextSchema,
  readKeyLimits,
  type BudgetPeriod,
  type KeyLimits,
} from '../shared/key-limits.ts'
import type { Statements } from './database.ts'
import {
  amountSchema,
  type LedgerOperation,
  type OperationResult,
  type ReserveOperation,
  type SettleOperation,
  type TakeOperation,
} from './ledger-operations.ts'
import { DayChanges, settle } from './settle.ts'

const DAY_MS = 86_400_000
const MINUTE_SECONDS = 60

const lockedSchema = z.object({
  key_id: z.string(),
  left: z.number().nullable(),
  at: z.number().nullable(),
})
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
const secondSchema = z.object({ key_id: z.string(), second: z.coerce.number(), tokens: z.coerce.number() })

/** One key while its ledger is locked. */
interface LockedKey {
  readonly limits: KeyLimits
  readonly revoked: boolean
  readonly sums: Readonly<Record<BudgetPeriod, { readonly spent: bigint; reserved: bigint }>>
}

/**
 * Applies operations in one transaction: settlements first, because they free money, then the others in their
 * order. Each reservation gets its own answer.
 *
 * The invariant of a hard budget holds over all replicas: the row of a key's ledger stays locked from before its
 * amounts are read until the commit. Ledgers are locked in the order of their IDs, so that batches can't deadlock.
 * The database's clock decides the day. Charges of later days count in the current period, so setting that clock
 * back frees no budget.
 * @param onLocked called with the time until all ledgers were locked
 * @returns the results, in the order of the operations
 * @throws {SottoError} database/… – nothing was changed, or it's unknown whether everything was
 */
export async function applyBatch(
  statements: Statements,
  replicaId: string,
  operations: readonly LedgerOperation[],
  onLocked: (waitedMs: number) => void,
): Promise<OperationResult[]> {
  const begun = performance.now()
  const settles = operations.filter((each): each is SettleOperation => each.kind === 'settle')
  const locked = await statements.query(
    lockedSchema,
    `SELECT key_id, bucket_left AS left, extract(epoch FROM bucket_at)::double precision * 1000 AS at
     FROM ledgers WHERE key_id = ANY($1::uuid[]) ORDER BY key_id FOR UPDATE`,
    [[...new Set(operations.flatMap(({ keyId }) => keyId ?? []))]],
  )
  onLocked(performance.now() - begun)
  await settle(statements, replicaId, settles)
  const others = operations.filter((each): each is ReserveOperation | TakeOperation => each.kind !== 'settle')
  if (others.length === 0) return operations.map(() => ({ ok: true, day: 0 }))

  const [clock] = await statements.query(
    clockSchema,
    'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now',
  )
  if (!clock) throw new SottoError('database/damaged')
  const day = Math.floor(clock.now / DAY_MS)
  const keys = await readKeys(statements, [...new Set(others.map(({ keyId }) => keyId))], day)
  const rates = new Rates(
    locked,
    await readTokens(
      statements,
      others.filter(({ kind }) => kind === 'take'),
      clock.now,
    ),
    clock.now,
  )
  const reserved: (ReserveOperation & { readonly amount: bigint })[] = []
  const results = operations.map((operation): OperationResult => {
    if (operation.kind === 'settle') return { ok: true, day: 0 }
    const key = keys.get(operation.keyId)
    try {
      if (!key) throw new SottoError('auth/invalid-api-key')
      if (key.revoked) throw new SottoError('auth/revoked-api-key')
      if (operation.kind === 'take') rates.take(operation.keyId, key.limits)
      else reserved.push({ ...operation, amount: reserveFrom(key, operation.most, day) })
      return { ok: true, day }
    } catch (refusal) {
      return { ok: false, refusal }
    }
  })
  await saveReservations(statements, replicaId, day, reserved)
  await rates.write(statements)
  return results
}

/** Adds a reservation to the key's sums. @throws {SottoError} budget/… – then nothing is added */
function reserveFrom({ limits, sums }: LockedKey, most: bigint | 'unknown', day: number): bigint {
  const { budget, allowUnpriced = false } = limits
  if (budget) {
    const usable = usableBudget({ budget })
    const today = { day, resetDay: day }
    requireCover({ budget, allowUnpriced, usable, ...sums[budget.period], today }, most)
  }
  const amount = most === 'unknown' ? 0n : most
  for (const sum of Object.values(sums)) sum.reserved += amount
  return amount
}

async function readKeys(
  statements: Statements,
  keyIds: readonly string[],
  day: number,
): Promise<Map<string, LockedKey>> {
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

async function saveReservations(
  statements: Statements,
  replicaId: string,
  day: number,
  reserved: readonly (ReserveOperation & { readonly amount: bigint })[],
): Promise<void> {
  if (reserved.length === 0) return
  await statements.execute(
    `INSERT INTO requests (id, key_id, replica_id, day, reserved)
     SELECT id, key_id, $1::uuid, $2, amount
     FROM unnest($3::text[], $4::uuid[], $5::numeric[]) AS request (id, key_id, amount)`,
    [
      replicaId,
      day,
      reserved.map(({ receiptId }) => receiptId),
      reserved.map(({ keyId }) => keyId),
      reserved.map(({ amount }) => amount.toString()),
    ],
  )
  const changes = new DayChanges()
  for (const { keyId, amount } of reserved) changes.add(keyId, day, { reserved: amount })
  await changes.write(statements)
}

type TokenSecond = z.infer<typeof secondSchema>

/** @param now Unix ms, of the database's clock */
async function readTokens(
  statements: Statements,
  takes: readonly { readonly keyId: string }[],
  now: number,
): Promise<TokenSecond[]> {
  if (takes.length === 0) return []
  return statements.query(
    secondSchema,
    'SELECT key_id, second, tokens FROM token_seconds WHERE key_id = ANY($1::uuid[]) AND second >= $2 ORDER BY second',
    [takes.map(({ keyId }) => keyId), Math.floor(now / 1000) - MINUTE_SECONDS],
  )
}

/** Requests and tokens per minute of the locked keys. */
class Rates {
  readonly #buckets = new Map<string, { readonly left: number; readonly at: number }>()
  readonly #changed = new Set<string>()
  readonly #seconds: readonly TokenSecond[]
  readonly #now: number

  constructor(locked: readonly z.infer<typeof lockedSchema>[], seconds: readonly TokenSecond[], now: number) {
    for (const { key_id, left, at } of locked)
      if (left !== null && at !== null) this.#buckets.set(key_id, { left, at })
    this.#seconds = seconds
    this.#now = now
  }

  /** @throws {SottoError} limit/requests, limit/tokens */
  take(keyId: string, { requestsPerMinute, tokensPerMinute }: KeyLimits): void {
    if (tokensPerMinute !== undefined) {
      const minute = this.#seconds.filter(({ key_id }) => key_id === keyId)
      requireTokensLeft(minute, tokensPerMinute, Math.floor(this.#now / 1000))
    }
    if (requestsPerMinute === undefined) return
    const { bucket, refusal } = takeRequest(this.#buckets.get(keyId), requestsPerMinute, this.#now)
    this.#buckets.set(keyId, bucket)
    this.#changed.add(keyId)
    if (refusal) throw refusal
  }

  async write(statements: Statements): Promise<void> {
    const changed = [...this.#changed].flatMap((keyId) => {
      const bucket = this.#buckets.get(keyId)
      return bucket ? [{ keyId, ...bucket }] : []
    })
    if (changed.length === 0) return
    await statements.execute(
      `UPDATE ledgers SET bucket_left = bucket.remaining, bucket_at = to_timestamp(bucket.at / 1000)
       FROM unnest($1::uuid[], $2::double precision[], $3::double precision[]) AS bucket (key_id, remaining, at)
       WHERE ledgers.key_id = bucket.key_id`,
      [changed.map(({ keyId }) => keyId), changed.map(({ left }) => left), changed.map(({ at }) => at)],
    )
  }
}

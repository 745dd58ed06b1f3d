import { z } from 'zod'
import { requireTokensLeft, takeRequest } from '../core/gateway/proxy/index.ts'
import { SottoError } from '../shared/errors.ts'
import type { KeyLimits } from '../shared/key-limits.ts'
import type { Statements } from './database.ts'
import type {
  EndOperation,
  LedgerOperation,
  OperationResult,
  ReserveOperation,
  SettleOperation,
  TakeOperation,
} from './ledger-operations.ts'
import { readClock, readKeyAmounts, type KeyAmounts } from './key-amounts.ts'
import { endRequests, RunningRequests } from './running-requests.ts'
import { DayChanges, settle } from './settle.ts'
import {
  lockTeam,
  readTeamAmounts,
  requireBudget,
  requireTeamBudget,
  type TeamAmounts,
} from './team-amounts.ts'

const MINUTE_SECONDS = 60

const lockedSchema = z.object({
  key_id: z.string(),
  owner_id: z.string().nullable(),
  left: z.number().nullable(),
  at: z.number().nullable(),
})
const secondSchema = z.object({ key_id: z.string(), second: z.coerce.number(), tokens: z.coerce.number() })

/**
 * Applies operations in one transaction: settlements and ends of requests first, because they free what others take, then
 * the others in their order. Each reservation gets its own answer.
 *
 * The invariant of a hard budget holds over all replicas: the row of a key's ledger stays locked from before its
 * amounts are read until the commit, and so do the rows of its owner and of their group. Ledgers are locked first, then
 * members and groups, each in the order of their IDs, so that batches can't deadlock.
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
  const ends = operations.filter((each): each is EndOperation => each.kind === 'end')
  const locked = await statements.query(
    lockedSchema,
    `SELECT key_id, (SELECT owner_id FROM local_keys WHERE id = key_id) AS owner_id, bucket_left AS left, extract(epoch FROM bucket_at)::double precision * 1000 AS at
     FROM ledgers WHERE key_id = ANY($1::uuid[]) ORDER BY key_id FOR UPDATE`,
    [[...new Set(operations.flatMap(({ keyId }) => keyId ?? []))]],
  )
  const ownerIds = [...new Set(locked.flatMap(({ owner_id }) => owner_id ?? []))]
  if (ownerIds.length > 0) await lockTeam(statements, ownerIds)
  onLocked(performance.now() - begun)
  await settle(statements, replicaId, settles)
  await endRequests(statements, ends)
  const others = operations.filter(
    (each): each is ReserveOperation | TakeOperation => each.kind === 'reserve' || each.kind === 'take',
  )
  if (others.length === 0) return operations.map(() => ({ ok: true, day: 0 }))

  const { now, day } = await readClock(statements)
  const keys = await readKeyAmounts(statements, [...new Set(others.map(({ keyId }) => keyId))], day)
  const holders = await readTeamAmounts(statements, ownerIds, day)
  const takes = others.filter((each) => each.kind === 'take')
  const rates = new Rates(locked, await readTokens(statements, takes, now), now)
  const running = await RunningRequests.read(statements, replicaId, takes)
  const reserved: (ReserveOperation & { readonly amount: bigint })[] = []
  const results = operations.map((operation): OperationResult => {
    if (operation.kind === 'settle' || operation.kind === 'end') return { ok: true, day: 0 }
    const key = keys.get(operation.keyId)
    try {
      if (!key) throw new SottoError('auth/invalid-api-key')
      if (key.revoked) throw new SottoError('auth/revoked-api-key')
      if (operation.kind === 'take') {
        running.require(operation, key.limits)
        rates.take(operation.keyId, key.limits)
        running.begin(operation)
      } else reserved.push({ ...operation, amount: reserveFrom(key, holders, operation.most, day) })
      return { ok: true, day }
    } catch (refusal) {
      return { ok: false, refusal }
    }
  })
  await saveReservations(statements, replicaId, day, reserved)
  await rates.write(statements)
  await running.write(statements, replicaId)
  return results
}

/**
 * Adds a reservation to the sums of the key, its owner and their group.
 * @throws {SottoError} budget/… – then nothing is added
 */
function reserveFrom(
  { limits: { budget, allowUnpriced = false }, ownerId, sums }: KeyAmounts,
  holders: ReadonlyMap<string, TeamAmounts>,
  most: bigint | 'unknown',
  day: number,
): bigint {
  requireBudget(budget, { allowUnpriced, sums, day, most })
  const owner = ownerId === null ? undefined : holders.get(ownerId)
  const group = holders.get(owner?.groupId ?? '')
  if (ownerId !== null && !owner) throw new SottoError('database/damaged')
  for (const holder of [owner, group]) if (holder) requireTeamBudget(holder, { most, day })
  const amount = most === 'unknown' ? 0n : most
  for (const each of [sums, owner?.sums, group?.sums])
    for (const sum of Object.values(each ?? {})) sum.reserved += amount
  return amount
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

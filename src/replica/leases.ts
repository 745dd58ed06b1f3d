import { z } from 'zod'
import { asSottoError, SottoError } from '../shared/errors.ts'
import { amountSchema } from './ledger-operations.ts'
import type { Database, Statements } from './database.ts'
import type { Migration } from './migrations/index.ts'
import { LOCK_CLASS, locks, newestOf, requireUsable } from './migrate.ts'
import { restoreRequests, type OwnRequests } from './running-requests.ts'
import { DayChanges } from './settle.ts'

/** How long a replica counts as alive after its last renewal. */
const LEASE_SECONDS = 10
const RENEW_MS = 2_000
/** Requests that one sweep ends at most. The next one continues. */
const SWEEP_LIMIT = 500

const lockSchema = z.object({ taken: z.boolean() })
const expiredSchema = z.object({
  id: z.string(),
  key_id: z.string(),
  replica_id: z.string(),
  day: z.int(),
  reserved: amountSchema,
})

export interface LeaseOptions {
  readonly database: Pick<Database, 'transaction' | 'execute' | 'query'>
  readonly replicaId: string
  /** Shown in the list of absences. */
  readonly name: string
  /** By default the migrations of this version of Sotto. */
  readonly known?: readonly Migration[]
  /** By default 2 seconds. */
  readonly renewMs?: number
  /** Restored after each renewal. */
  readonly ownRequests?: OwnRequests
  /** Called when a sweep charged requests of replicas that ended. */
  readonly onSwept?: (requests: number) => void
}

export interface Lease extends AsyncDisposable {
  /**
   * Requires that this version can still work with the schema, which a newer replica may have changed.
   * @throws {SottoError} database/newer-version
   */
  requireUsable(): void
  readonly counts: () => { readonly sweeps: number; readonly charged: number }
}

/**
 * Keeps one replica's lease, and ends the requests of replicas whose lease ended.
 * @throws {SottoError} database/… – the first renewal failed
 */
export async function startLease({
  database,
  replicaId,
  name,
  known,
  renewMs = RENEW_MS,
  ownRequests = new Map(),
  onSwept,
}: LeaseOptions): Promise<Lease> {
  let sweeps = 0
  let charged = 0
  let outdated = false
  let running: Promise<void> | undefined
  await renew(database, replicaId, name)
  const timer = setInterval(() => {
    // A slow renewal isn't joined by a second one.
    running ??= turn().finally(() => (running = undefined))
  }, renewMs)

  async function turn(): Promise<void> {
    try {
      await renew(database, replicaId, name)
      await requireUsable(database, known)
      outdated = false
      // If it fails, the next turn repeats it.
      await restoreRequests(database, replicaId, ownRequests).catch(() => undefined)
      const found = await sweep(database)
      sweeps += 1
      charged += found
      if (found > 0) onSwept?.(found)
    } catch (thrown) {
      if (asSottoError(thrown).code === 'database/newer-version') outdated = true
    }
  }

  return {
    requireUsable() {
      if (outdated) throw new SottoError('database/newer-version')
    },
    counts: () => ({ sweeps, charged }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
      // Best effort: otherwise the lease ends a few seconds later.
      await database
        .execute('UPDATE replicas SET alive_until = clock_timestamp() WHERE id = $1', [replicaId])
        .catch(() => undefined)
    },
  }
}

/** Renews the lease. A replica whose row was removed, because it was paused for long, gets a new one. */
async function renew(database: Pick<Database, 'execute'>, replicaId: string, name: string): Promise<void> {
  await database.execute(
    `INSERT INTO replicas (id, name, schema_version, alive_until)
     VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
     ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
    [replicaId, name, newestOf(), LEASE_SECONDS],
  )
}

/**
 * Charges the requests whose replica's lease ended at their most, because their progress is unknown, and records
 * that their receipts are absent. Their parallel requests end too. One replica does this at a time.
 * @returns the number of requests
 * @throws {SottoError} database/…
 */
export async function sweep(database: Pick<Database, 'transaction'>): Promise<number> {
  return database.transaction(async (statements) => {
    const [lock] = await statements.query(lockSchema, 'SELECT pg_try_advisory_xact_lock($1, $2) AS taken', [
      LOCK_CLASS,
      locks.sweep,
    ])
    if (lock?.taken !== true) return 0
    const keys = await statements.query(
      z.object({ key_id: z.string() }),
      `SELECT key_id FROM (SELECT key_id FROM requests WHERE ${expired('requests')} LIMIT ${String(SWEEP_LIMIT)}) AS expired
       UNION SELECT key_id FROM running_requests WHERE ${expired('running_requests')}`,
    )
    if (keys.length === 0) return 0
    return chargeExpired(
      statements,
      keys.map(({ key_id }) => key_id),
    )
  })
}

const expired = (table: 'requests' | 'running_requests'): string => `NOT EXISTS (
  SELECT 1 FROM replicas WHERE replicas.id = ${table}.replica_id AND alive_until > clock_timestamp())`

async function chargeExpired(statements: Statements, keyIds: readonly string[]): Promise<number> {
  // In the same order as batches lock them. A settlement that was faster has removed its request by now.
  await statements.execute(
    'SELECT 1 FROM ledgers WHERE key_id = ANY($1::uuid[]) ORDER BY key_id FOR UPDATE',
    [keyIds],
  )
  await statements.execute(
    `DELETE FROM running_requests WHERE key_id = ANY($1::uuid[]) AND ${expired('running_requests')}`,
    [keyIds],
  )
  const ended = await statements.query(
    expiredSchema,
    `WITH expired AS (
       DELETE FROM requests WHERE id IN (
         SELECT id FROM requests WHERE key_id = ANY($1::uuid[]) AND ${expired('requests')} LIMIT ${String(SWEEP_LIMIT)})
       RETURNING id, key_id, replica_id, day, begun_at, reserved),
     noted AS (
       INSERT INTO absences (id, key_id, replica_id, day, begun_at, charged)
       SELECT id, key_id, replica_id, day, begun_at, reserved FROM expired ON CONFLICT (id) DO NOTHING)
     SELECT id, key_id, replica_id, day, reserved FROM expired`,
    [keyIds],
  )
  const changes = new DayChanges()
  for (const { key_id, day, reserved } of ended)
    changes.add(key_id, day, { reserved: -reserved, spent: reserved })
  await changes.write(statements)
  return ended.length
}

import { z } from 'zod'
import { tooManyParallel } from '../core/gateway/proxy/index.ts'
import type { KeyLimits } from '../shared/key-limits.ts'
import type { Database, Statements } from './database.ts'
import type { EndOperation, TakeOperation } from './ledger-operations.ts'

/** This replica's requests in progress that count as parallel ones: the IDs of their keys, by their own IDs. */
export type OwnRequests = Map<string, string>

const countSchema = z.object({ key_id: z.string(), count: z.int() })

/** Requests in progress, over all replicas, of keys whose ledgers are locked. */
export class RunningRequests {
  readonly #counts: Map<string, number>
  readonly #begun: { readonly id: string; readonly keyId: string }[] = []

  private constructor(counts: Map<string, number>) {
    this.#counts = counts
  }

  /**
   * Counts the requests of the keys that these operations limit. A replica whose lease ended doesn't count.
   * @throws {SottoError} database/…
   */
  static async read(
    statements: Pick<Statements, 'query'>,
    replicaId: string,
    takes: readonly TakeOperation[],
  ): Promise<RunningRequests> {
    const keyIds = takes.flatMap(({ keyId, requestId }) => (requestId === undefined ? [] : [keyId]))
    if (keyIds.length === 0) return new RunningRequests(new Map())
    const rows = await statements.query(
      countSchema,
      `SELECT key_id, count(*)::integer AS count
       FROM running_requests LEFT JOIN replicas ON replicas.id = replica_id
       WHERE key_id = ANY($1::uuid[]) AND (alive_until > clock_timestamp() OR replica_id = $2) GROUP BY key_id`,
      [[...new Set(keyIds)], replicaId],
    )
    return new RunningRequests(new Map(rows.map(({ key_id, count }) => [key_id, count])))
  }

  /** @throws {SottoError} limit/concurrency – the key has as many requests in progress as it may have */
  require({ keyId, requestId }: TakeOperation, { parallelRequests }: KeyLimits): void {
    if (requestId === undefined || parallelRequests === undefined) return
    if ((this.#counts.get(keyId) ?? 0) >= parallelRequests) throw tooManyParallel()
  }

  begin({ keyId, requestId }: TakeOperation): void {
    if (requestId === undefined) return
    this.#counts.set(keyId, (this.#counts.get(keyId) ?? 0) + 1)
    this.#begun.push({ id: requestId, keyId })
  }

  /** @throws {SottoError} database/… */
  async write(statements: Statements, replicaId: string): Promise<void> {
    if (this.#begun.length === 0) return
    await statements.execute(`${INSERT} FROM unnest($2::uuid[], $3::uuid[]) AS request (id, key_id)`, [
      replicaId,
      this.#begun.map(({ id }) => id),
      this.#begun.map(({ keyId }) => keyId),
    ])
  }
}

const INSERT = `INSERT INTO running_requests (id, key_id, replica_id) SELECT id, key_id, $1::uuid`

/**
 * Makes the rows of one replica equal to its requests in progress. Another replica deletes these rows if this one's lease
 * ended, because it was paused or the database was away. A commit whose outcome is unknown can leave a row behind; it's
 * deleted once it's older than any commit in progress.
 * @throws {SottoError} database/…
 */
export async function restoreRequests(
  database: Pick<Database, 'execute'>,
  replicaId: string,
  requests: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = [...requests.keys()]
  await database.execute(
    `WITH restored AS (
       ${INSERT} FROM unnest($2::uuid[], $3::uuid[]) AS request (id, key_id) ON CONFLICT (id) DO NOTHING)
     DELETE FROM running_requests WHERE id IN (
       SELECT id FROM running_requests
       WHERE replica_id = $1 AND begun_at < clock_timestamp() - interval '10 seconds' AND id <> ALL($2::uuid[])
       FOR UPDATE SKIP LOCKED)`,
    [replicaId, ids, [...requests.values()]],
  )
  // A request that ended while this ran may have been restored after its end was committed.
  const ended = ids.filter((id) => !requests.has(id))
  if (ended.length > 0)
    await database.execute('DELETE FROM running_requests WHERE id = ANY($1::uuid[])', [ended])
}

/**
 * Ends requests in progress. It may be applied twice.
 * @throws {SottoError} database/…
 */
export async function endRequests(statements: Statements, ends: readonly EndOperation[]): Promise<void> {
  if (ends.length === 0) return
  await statements.execute('DELETE FROM running_requests WHERE id = ANY($1::uuid[])', [
    ends.map(({ requestId }) => requestId),
  ])
}

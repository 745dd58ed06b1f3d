import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { keyLimitsTextSchema, readKeyLimits, writeKeyLimits, type KeyLimits } from '../shared/key-limits.ts'
import { SottoError } from '../shared/errors.ts'
import type { Database, Statements } from './database.ts'
import { readClock, readKeyAmounts } from './key-amounts.ts'

const MAX_NAME_LENGTH = 200

const rowSchema = z.object({
  id: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  limits: keyLimitsTextSchema.transform(readKeyLimits),
  created_at: z.date(),
  revoked_at: z.date().nullable(),
  owner_id: z.string().nullable(),
})

/** A local key of all replicas. */
export interface SharedKey {
  readonly id: string
  /** SHA-256 of the secret, lowercase hex. The database never has the secret. */
  readonly hash: string
  readonly name: string
  readonly limits: KeyLimits
  /** ID of the member who owns it, which never changes. Absent: nobody. */
  readonly ownerId?: string
  /** Unix ms. */
  readonly createdAt: number
  /** Unix ms. */
  readonly revokedAt?: number
}

/**
 * Reads all keys, in the order of creation.
 * @throws {SottoError} database/…
 */
export async function listKeys(database: Pick<Database, 'query'>): Promise<SharedKey[]> {
  const rows = await database.query(
    rowSchema,
    'SELECT id, hash, name, limits, created_at, revoked_at, owner_id FROM local_keys ORDER BY created_at, id',
  )
  return rows.map(({ created_at, revoked_at, owner_id, ...key }) => ({
    ...key,
    createdAt: created_at.getTime(),
    ...(owner_id !== null && { ownerId: owner_id }),
    ...(revoked_at && { revokedAt: revoked_at.getTime() }),
  }))
}

/** A key with the amounts that count against its budget now, in pico-USD; in total without a budget. */
export interface KeyWithAmounts extends SharedKey {
  readonly spent: bigint
  readonly reserved: bigint
}

/**
 * Reads all keys with their amounts, in the order of creation.
 * @throws {SottoError} database/…
 */
export async function listKeysWithAmounts(
  database: Pick<Database, 'query'>,
  ownerId?: string,
): Promise<KeyWithAmounts[]> {
  const keys = (await listKeys(database)).filter((key) => ownerId === undefined || key.ownerId === ownerId)
  const { day } = await readClock(database)
  const amounts = await readKeyAmounts(
    database,
    keys.map(({ id }) => id),
    day,
  )
  return keys.map((key) => ({
    ...key,
    ...(amounts.get(key.id)?.sums[key.limits.budget?.period ?? 'total'] ?? { spent: 0n, reserved: 0n }),
  }))
}

/** A key to create. */
export type NewKey = Pick<SharedKey, 'name' | 'hash' | 'limits' | 'ownerId'>

/**
 * Creates a key. Every replica accepts it within a second.
 * @param key its name, the hash of its secret, its limits, and its owner
 * @returns its ID
 * @throws {SottoError} local-key/name-taken – a key that isn't revoked has this name; tools/no-window – it has server
 * tools, and replicas have no window that could ask for consent; database/…
 */
export function createKey(database: Pick<Database, 'transaction'>, key: NewKey): Promise<string> {
  return database.transaction((statements) => insertKey(statements, key))
}

/** Creates a key within a transaction. @throws as `createKey` */
export async function insertKey(
  statements: Statements,
  { name, hash, limits, ownerId }: NewKey,
): Promise<string> {
  if (limits.serverTools) throw new SottoError('tools/no-window')
  const id = randomUUID()
  // Serial, so that two commands can't create keys of the same name.
  await statements.execute('LOCK TABLE local_keys IN SHARE ROW EXCLUSIVE MODE')
  const holders = await statements.query(
    z.object({ id: z.string() }),
    'SELECT id FROM local_keys WHERE name = $1 AND revoked_at IS NULL',
    [name.slice(0, MAX_NAME_LENGTH)],
  )
  if (holders.length > 0) throw new SottoError('local-key/name-taken')
  await statements.execute(
    'INSERT INTO local_keys (id, hash, name, limits, owner_id) VALUES ($1, $2, $3, $4, $5)',
    [id, hash, name.slice(0, MAX_NAME_LENGTH), JSON.stringify(writeKeyLimits(limits)), ownerId ?? null],
  )
  await statements.execute('INSERT INTO ledgers (key_id) VALUES ($1)', [id])
  return id
}

/**
 * Revokes a key. Every replica refuses it within a second.
 * @param nameOrId the name or ID of a key that isn't revoked
 * @returns the revoked key's ID
 * @throws {SottoError} local-key/unknown; database/…
 */
export async function revokeKey(database: Pick<Database, 'query'>, nameOrId: string): Promise<string> {
  const [revoked] = await database.query(
    z.object({ id: z.string() }),
    `UPDATE local_keys SET revoked_at = clock_timestamp()
     WHERE revoked_at IS NULL AND (name = $1 OR id::text = $1) RETURNING id`,
    [nameOrId],
  )
  if (!revoked) throw new SottoError('local-key/unknown')
  return revoked.id
}

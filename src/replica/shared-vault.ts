import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { seal, unseal } from '../core/storage/seal.ts'
import type { Vault } from '../core/storage/vault/index.ts'
import { secretBytes } from '../core/storage/vault/secret-bytes.ts'
import { newId, opens, vaultKey } from '../core/storage/vault/vault-key.ts'
import { SottoError } from '../shared/errors.ts'
import { bytea } from './data-key.ts'
import type { Database, Statements } from './database.ts'

const headerSchema = z.object({ id: z.string(), key_check: z.string() })
const secretSchema = z.object({ id: z.string(), body: bytea.nullable() })
const rowSchema = z.object({ name: z.string(), body: bytea })
const nameSchema = z.object({ name: z.string() })

const place = (vaultId: string, name: string): string => `secrets/body/${vaultId}/${name}`

/** The key of a vault, derived for its ID. */
interface SealingKey {
  readonly id: string
  readonly sealing: KeyObject
}

/** A vault in the shared database, which several replicas use at once. */
export interface SharedVault extends Vault {
  readonly add: (name: string, secret: Uint8Array) => Promise<Uint8Array>
}

/**
 * Unlocks the vault of the database, or creates it. Secrets are rows, sealed with AES-256-GCM under a key that isn't in
 * the database. Replicas that start at the same moment agree on one vault and on each new secret.
 * @param master 32 bytes, which are zeroed
 * @throws {SottoError} vault/wrong-key – nothing was changed; database/…
 */
export async function unlockSharedVault(database: Database, master: Uint8Array): Promise<SharedVault> {
  let key: SealingKey
  try {
    key = (await deriveKey(database, master)) ?? (await createVault(database, master))
  } finally {
    master.fill(0)
  }
  let closed = false
  const requireOpen = (): void => {
    if (closed) throw new SottoError('vault/locked')
  }

  async function get(name: string): Promise<Uint8Array | null> {
    requireOpen()
    const [row] = await database.query(
      secretSchema,
      'SELECT id, (SELECT body FROM secrets WHERE name = $1) AS body FROM vault WHERE only_row',
      [name],
    )
    if (row?.id !== key.id) throw new SottoError('vault/wrong-key')
    return row.body && decryptSecret(key, name, row.body)
  }

  /** Writes only while the vault has this key. */
  async function write(name: string, secret: Uint8Array, conflict: string): Promise<void> {
    requireOpen()
    const body = Buffer.from(seal(key.sealing, place(key.id, name), secret))
    const [found] = await database.query(
      z.object({ found: z.boolean() }),
      `WITH current AS (SELECT id FROM vault WHERE id = $3 FOR SHARE), written AS (
        INSERT INTO secrets (name, body) SELECT $1, $2 FROM current ON CONFLICT (name) ${conflict})
        SELECT EXISTS (SELECT 1 FROM current) AS found`,
      [name, body, key.id],
    )
    if (found?.found !== true) throw new SottoError('vault/wrong-key')
  }

  return {
    kind: 'file',
    get state() {
      return closed ? 'locked' : 'open'
    },
    get,
    set: (name, secret) => write(name, secret, 'DO UPDATE SET body = excluded.body'),
    async add(name, secret) {
      await write(name, secret, 'DO NOTHING')
      const stored = await get(name)
      if (!stored) throw new SottoError('database/damaged')
      return stored
    },
    async delete(name) {
      requireOpen()
      await database.execute('DELETE FROM secrets WHERE name = $1', [name])
    },
    unlock: () => Promise.reject(new SottoError(closed ? 'vault/locked' : 'vault/unavailable')),
    protect: () => Promise.reject(new SottoError('vault/unavailable')),
    close() {
      closed = true
      return Promise.resolve()
    },
  }
}

/**
 * Seals all secrets under another key, in one transaction. Running replicas can't read the vault until they start
 * again with the new key.
 * @param from 32 bytes of the current key, which are zeroed
 * @param to 32 bytes of the new key, which are zeroed
 * @returns the number of secrets
 * @throws {SottoError} vault/wrong-key, database/damaged, database/… – nothing was changed
 */
export async function rotateVaultKey(database: Database, from: Uint8Array, to: Uint8Array): Promise<number> {
  try {
    return await database.transaction(async (statements) => {
      await statements.query(headerSchema, 'SELECT id, key_check FROM vault FOR UPDATE')
      const old = await deriveKey(statements, from)
      if (!old) throw new SottoError('vault/wrong-key')
      const { header, key } = newKey(to)
      const rows = await statements.query(rowSchema, 'SELECT name, body FROM secrets')
      for (const { name, body } of rows) {
        const secret = decryptSecret(old, name, body)
        await statements.execute('UPDATE secrets SET body = $2 WHERE name = $1', [
          name,
          Buffer.from(seal(key.sealing, place(key.id, name), secret)),
        ])
        secret.fill(0)
      }
      await statements.execute('UPDATE vault SET id = $1, key_check = $2', [header.id, header.key_check])
      return rows.length
    })
  } finally {
    from.fill(0)
    to.fill(0)
  }
}

async function createVault(database: Database, master: Uint8Array): Promise<SealingKey> {
  // Secrets without their vault were restored incompletely, and a new vault could never open them.
  const [secret] = await database.query(nameSchema, 'SELECT name FROM secrets LIMIT 1')
  if (secret) throw new SottoError('database/damaged')
  const { header } = newKey(master)
  await database.execute('INSERT INTO vault (id, key_check) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    header.id,
    header.key_check,
  ])
  const key = await deriveKey(database, master)
  if (!key) throw new SottoError('database/damaged')
  return key
}

/** @returns null if the database has no vault */
async function deriveKey(statements: Statements, master: Uint8Array): Promise<SealingKey | null> {
  const [header] = await statements.query(headerSchema, 'SELECT id, key_check FROM vault WHERE only_row')
  if (!header) return null
  const derived = vaultKey(secretBytes(master), header)
  if (!opens(derived, header.key_check)) throw new SottoError('vault/wrong-key')
  return { id: header.id, sealing: createSecretKey(derived.sealing) }
}

function newKey(master: Uint8Array): {
  readonly header: z.infer<typeof headerSchema>
  readonly key: SealingKey
} {
  const id = newId()
  const derived = vaultKey(secretBytes(master), { id })
  return { header: { id, key_check: derived.check }, key: { id, sealing: createSecretKey(derived.sealing) } }
}

function decryptSecret({ id, sealing }: SealingKey, name: string, body: Uint8Array): Uint8Array {
  try {
    return unseal(sealing, place(id, name), body)
  } catch {
    throw new SottoError('database/damaged')
  }
}

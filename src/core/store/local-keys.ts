import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { budgetPeriods, type KeyLimits } from '../../shared/key-limits.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { LocalKey, Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), hash: z.string(), created_at: z.number(), body: z.instanceof(Uint8Array) })
const limitsSchema = z.object({
  budget: z.object({ picoUsd: z.string().regex(/^\d{1,30}$/).transform(BigInt), period: z.enum(budgetPeriods) }).exactOptional(),
  allowUnpriced: z.boolean().exactOptional(),
  expiresAt: z.number().exactOptional(),
  privateOnly: z.boolean().exactOptional(),
  models: z.array(z.string()).exactOptional(),
  requestsPerMinute: z.int().positive().exactOptional(),
})
const bodySchema = z.object({ name: z.string(), limits: limitsSchema.default({}) })

/** Bound to the hash: whoever can write the file cannot make a key of their own count, nor raise its limits. */
const place = (id: string, hash: string) => `local_keys/body/${id}/${hash}`

export function localKeysIn(database: SealedDatabase, now: () => number): Store['localKeys'] {
  const toLocalKey = ({ id, hash, created_at: createdAt, body }: z.infer<typeof rowSchema>): LocalKey => ({
    id,
    hash,
    createdAt,
    ...database.unseal(bodySchema, place(id, hash), body),
  })
  const sealBody = ({ id, hash, name, limits }: LocalKey) => database.seal(place(id, hash), { name, limits: asJson(limits) })
  /** Every request of a tool asks for its key, by hash and then by id. Rows are added and changed only here. */
  const byHash = new Map<string, LocalKey>()
  const byId = new Map<string, LocalKey>()
  function remember(key: LocalKey): LocalKey {
    byHash.set(key.hash, key)
    byId.set(key.id, key)
    return key
  }
  function look(known: LocalKey | undefined, column: 'id' | 'hash', value: string): LocalKey | null {
    if (known) return known
    const row = database.get(rowSchema, `SELECT * FROM local_keys WHERE ${column} = ?`, value)
    return row && remember(toLocalKey(row))
  }

  return {
    list: () => database.all(rowSchema, 'SELECT * FROM local_keys ORDER BY seq').map(toLocalKey),
    get: (id) => look(byId.get(id), 'id', id),
    findByHash: (hash) => look(byHash.get(hash), 'hash', hash),
    add({ name, hash, limits = {} }) {
      const key: LocalKey = { id: randomUUID(), name, hash, createdAt: Math.trunc(now()), limits }
      database.run('INSERT INTO local_keys (id, hash, created_at, body) VALUES (?, ?, ?, ?)', key.id, hash, key.createdAt, sealBody(key))
      return remember(key)
    },
    limit(id, limits) {
      const key = look(byId.get(id), 'id', id)
      if (!key) return null
      const limited = { ...key, limits }
      database.run('UPDATE local_keys SET body = ? WHERE id = ?', sealBody(limited), id)
      return remember(limited)
    },
  }
}

/** Money as decimal text. */
function asJson({ budget, ...others }: KeyLimits): object {
  return { ...others, ...(budget && { budget: { ...budget, picoUsd: budget.picoUsd.toString() } }) }
}

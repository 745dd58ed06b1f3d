import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  keyLimitsTextSchema,
  limitAmountSchema,
  readKeyLimits,
  writeKeyLimits,
} from '../../shared/key-limits.ts'
import type { LocalKey } from './request-store.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({
  id: z.string(),
  hash: z.string(),
  created_at: z.number(),
  body: z.instanceof(Uint8Array),
})
const bodySchema = z.object({
  name: z.string(),
  limits: keyLimitsTextSchema.default({}),
  increase: z
    .object({ picoUsd: limitAmountSchema.transform(BigInt), until: z.number(), clock: z.number() })
    .exactOptional(),
  first: z.boolean().default(false),
  revokedAt: z.number().exactOptional(),
})

/**
 * Binds the row to its hash: an attacker who can write the file can't activate their own key, or raise its
 * limits.
 */
const place = (id: string, hash: string) => `local_keys/body/${id}/${hash}`

/**
 * Stores local keys by their hash; the store never has their secrets. All keys are read once and cached.
 */
export function localKeysIn(database: SealedDatabase, now: () => number): Store['localKeys'] {
  const toLocalKey = ({ id, hash, created_at: createdAt, body }: z.infer<typeof rowSchema>): LocalKey => {
    const { limits, ...others } = database.unseal(bodySchema, place(id, hash), body)
    return { id, hash, createdAt, ...others, limits: readKeyLimits(limits) }
  }
  const sealBody = ({ id, hash, name, limits, increase, first, revokedAt }: LocalKey) =>
    database.seal(place(id, hash), {
      name,
      limits: writeKeyLimits(limits),
      ...(increase && { increase: { ...increase, picoUsd: increase.picoUsd.toString() } }),
      first,
      ...(revokedAt !== undefined && { revokedAt }),
    })

  /**
   * Every request looks up a key by a hash that an attacker chooses. No lookup, of a known or an unknown
   * hash, may read the file. Rows are added and changed only here.
   */
  let known: { readonly byId: Map<string, LocalKey>; readonly byHash: Map<string, LocalKey> } | undefined
  function all(): { readonly byId: Map<string, LocalKey>; readonly byHash: Map<string, LocalKey> } {
    if (!known) {
      const keys = database.all(rowSchema, 'SELECT * FROM local_keys ORDER BY seq').map(toLocalKey)
      known = {
        byId: new Map(keys.map((key) => [key.id, key])),
        byHash: new Map(keys.map((key) => [key.hash, key])),
      }
    }
    return known
  }
  function remember(key: LocalKey): LocalKey {
    all().byId.set(key.id, key)
    all().byHash.set(key.hash, key)
    return key
  }

  return {
    list: () => [...all().byId.values()],
    get: (id) => all().byId.get(id) ?? null,
    findByHash: (hash) => all().byHash.get(hash) ?? null,
    add({ name, hash, limits = {}, first = false }) {
      const key: LocalKey = { id: randomUUID(), name, hash, createdAt: Math.trunc(now()), limits, first }
      database.run(
        'INSERT INTO local_keys (id, hash, created_at, body) VALUES (?, ?, ?, ?)',
        key.id,
        hash,
        key.createdAt,
        sealBody(key),
      )
      return remember(key)
    },
    change(id, patch) {
      const key = all().byId.get(id)
      if (!key) return null
      const changed: LocalKey = { ...key, ...patch }
      database.run(
        'UPDATE local_keys SET hash = ?, body = ? WHERE id = ?',
        changed.hash,
        sealBody(changed),
        id,
      )
      all().byHash.delete(key.hash)
      return remember(changed)
    },
  }
}

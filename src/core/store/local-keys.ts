import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { SealedDatabase } from './sealed-database.ts'
import type { LocalKey, Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), hash: z.string(), created_at: z.number(), body: z.instanceof(Uint8Array) })
const bodySchema = z.object({ name: z.string() })

/** Bound to the hash: whoever can write the file cannot make a key of their own count. */
const place = (id: string, hash: string) => `local_keys/body/${id}/${hash}`

export function localKeysIn(database: SealedDatabase, now: () => number): Store['localKeys'] {
  const toLocalKey = ({ id, hash, created_at: createdAt, body }: z.infer<typeof rowSchema>): LocalKey => ({
    id,
    hash,
    createdAt,
    ...database.unseal(bodySchema, place(id, hash), body),
  })
  /** Every request of a tool asks for its key. Rows are only ever added, and only here. */
  const known = new Map<string, LocalKey>()
  return {
    list: () => database.all(rowSchema, 'SELECT * FROM local_keys ORDER BY seq').map(toLocalKey),
    findByHash(hash) {
      const found = known.get(hash)
      if (found) return found
      const row = database.get(rowSchema, 'SELECT * FROM local_keys WHERE hash = ?', hash)
      const key = row && toLocalKey(row)
      if (key) known.set(hash, key)
      return key
    },
    add({ name, hash }) {
      const key: LocalKey = { id: randomUUID(), name, hash, createdAt: Math.trunc(now()) }
      database.run('INSERT INTO local_keys (id, hash, created_at, body) VALUES (?, ?, ?, ?)', key.id, hash, key.createdAt, database.seal(place(key.id, hash), { name }))
      return key
    },
  }
}

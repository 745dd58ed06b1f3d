import { z } from 'zod'
import type { DeferredWrites } from './deferred-writes.ts'
import type { KeyUse } from './request-store.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ body: z.instanceof(Uint8Array) })
const bodySchema = z.object({ requests: z.int().min(1), firstAt: z.number(), lastAt: z.number() })

const place = (keyId: string) => `key_use/body/${keyId}`

/**
 * Counts the use of each local key. The counts are read once, changed in memory, and written with the
 * receipts a moment later.
 */
export function keyUseIn(database: SealedDatabase, deferred: DeferredWrites): Store['keyUse'] {
  const known = new Map<string, KeyUse | null>()
  const changed = new Set<string>()

  const noted = deferred.join({
    write() {
      for (const keyId of changed) {
        const use = known.get(keyId)
        if (use)
          database.run(
            'INSERT INTO key_use (key_id, body) VALUES (?, ?) ON CONFLICT (key_id) DO UPDATE SET body = excluded.body',
            keyId,
            database.seal(place(keyId), use),
          )
      }
    },
    written: () => changed.clear(),
    refused: () => undefined,
  })

  function of(keyId: string): KeyUse | null {
    const use = known.get(keyId)
    if (use !== undefined) return use
    const row = database.get(rowSchema, 'SELECT body FROM key_use WHERE key_id = ?', keyId)
    const read = row && database.unseal(bodySchema, place(keyId), row.body)
    known.set(keyId, read)
    return read
  }

  return {
    of,
    note(keyId, at) {
      const before = of(keyId)
      known.set(
        keyId,
        before
          ? {
              requests: before.requests + 1,
              firstAt: Math.min(before.firstAt, at),
              lastAt: Math.max(before.lastAt, at),
            }
          : { requests: 1, firstAt: at, lastAt: at },
      )
      changed.add(keyId)
      noted()
    },
  }
}

import { z } from 'zod'
import type { Migration } from './migration.ts'

const AT_ONCE = 1_000

const rowSchema = z.object({ seq: z.number(), id: z.string(), body: z.instanceof(Uint8Array) })
const callerSchema = z.object({ caller: z.object({ localKeyId: z.string().optional() }) })

/** The use of each local key, and the key of each receipt. The key's id is plaintext. */
export const keyUse: Migration = {
  version: 4,
  up(database) {
    database.execute(`
      CREATE TABLE key_use (key_id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
      ALTER TABLE receipts ADD COLUMN key_id TEXT;
      CREATE INDEX receipts_by_key ON receipts (key_id, at) WHERE key_id IS NOT NULL;
    `)
    for (let after = 0; ;) {
      const rows = database.all(
        rowSchema,
        'SELECT seq, id, body FROM receipts WHERE seq > ? ORDER BY seq LIMIT ?',
        after,
        AT_ONCE,
      )
      for (const { seq, id, body } of rows) {
        const { localKeyId } = database.unseal(callerSchema, `receipts/body/${id}`, body).caller
        if (localKeyId !== undefined)
          database.run('UPDATE receipts SET key_id = ? WHERE seq = ?', localKeyId, seq)
        after = seq
      }
      if (rows.length < AT_ONCE) return
    }
  },
}

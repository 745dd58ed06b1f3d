import { z } from 'zod'
import type { SealedDatabase } from '../sealed-database.ts'
import type { Migration } from './migration.ts'

const RECEIPTS_OF_A_PAGE = 32

const rowSchema = z.object({
  seq: z.number(),
  id: z.string(),
  at: z.number(),
  key_id: z.string().nullable(),
  body: z.instanceof(Uint8Array),
})

/**
 * Receipts are sealed together in pages. Ids, times, the key's id, and the page and position of each
 * receipt are plaintext.
 */
export const receiptPages: Migration = {
  version: 8,
  up(database) {
    database.execute(`
      ALTER TABLE receipts RENAME TO single_receipts;
      DROP INDEX receipts_by_time;
      DROP INDEX receipts_by_key;

      CREATE TABLE receipt_pages (seq INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;

      CREATE TABLE receipts (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        key_id TEXT,
        page INTEGER NOT NULL,
        position INTEGER NOT NULL
      ) STRICT;
    `)
    let after = 0
    for (let page = 1; ; page += 1) {
      const rows = database.all(
        rowSchema,
        'SELECT seq, id, at, key_id, body FROM single_receipts WHERE seq > ? ORDER BY seq LIMIT ?',
        after,
        RECEIPTS_OF_A_PAGE,
      )
      if (rows.length === 0) break
      const receipts = rows.map(({ id, body }) => openedOrStored(database, id, body))
      database.run(
        'INSERT INTO receipt_pages (seq, body) VALUES (?, ?)',
        page,
        database.seal(`receipt_pages/body/${String(page)}`, receipts),
      )
      for (const [position, { seq, id, at, key_id: keyId }] of rows.entries()) {
        database.run(
          'INSERT INTO receipts (seq, id, at, key_id, page, position) VALUES (?, ?, ?, ?, ?, ?)',
          seq,
          id,
          at,
          keyId,
          page,
          position,
        )
        after = seq
      }
    }
    database.execute(`
      DROP TABLE single_receipts;
      CREATE INDEX receipts_by_time ON receipts (at);
      CREATE INDEX receipts_by_key ON receipts (key_id, at) WHERE key_id IS NOT NULL;
    `)
  },
}

/**
 * A receipt that can't be decrypted must not block the others. Its bytes are stored unchanged, and readers
 * don't accept them as a receipt.
 */
function openedOrStored(database: SealedDatabase, id: string, body: Uint8Array): unknown {
  try {
    return database.unseal(z.unknown(), `receipts/body/${id}`, body)
  } catch {
    return Buffer.from(body).toString('base64')
  }
}

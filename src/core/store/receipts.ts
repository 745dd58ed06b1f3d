import { z } from 'zod'
import { receiptSchema, type Receipt } from '../../shared/receipt.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/** While the disk refuses; then the oldest is lost. */
const MOST_WAITING = 10_000

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const placedRowSchema = rowSchema.extend({ at: z.number(), seq: z.number() })
const place = (id: string) => `receipts/body/${id}`

/** On the hot path of the proxy: sealed when put, written with others a moment later. Reading writes what waits first. */
export function receiptsIn(database: SealedDatabase, deferred: DeferredWrites): Store['receipts'] {
  let waiting: { id: string; at: number; keyId: string | null; body: Uint8Array }[] = []
  const toReceipt = ({ id, body }: z.infer<typeof rowSchema>) => database.unseal(receiptSchema, place(id), body)

  const noted = deferred.join({
    write() {
      for (const { id, at, keyId, body } of waiting) {
        database.run('INSERT INTO receipts (id, at, key_id, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, key_id = excluded.key_id, body = excluded.body', id, at, keyId, body)
      }
    },
    written: () => (waiting = []),
    refused: () => waiting.splice(0, waiting.length - MOST_WAITING),
  })

  return {
    flush: () => deferred.flush(),
    put(receipt) {
      waiting.push({ id: receipt.id, at: Math.trunc(receipt.at), keyId: receipt.caller.localKeyId ?? null, body: database.seal(place(receipt.id), receipt) })
      noted()
    },
    get(id): Receipt | null {
      deferred.flush()
      const row = database.get(rowSchema, 'SELECT id, body FROM receipts WHERE id = ?', id)
      return row && toReceipt(row)
    },
    list(limit): Receipt[] {
      deferred.flush()
      return database.all(rowSchema, 'SELECT id, body FROM receipts ORDER BY at DESC, seq DESC LIMIT ?', limit).map(toReceipt)
    },
    between(from, until, limit): Receipt[] {
      deferred.flush()
      return database.all(rowSchema, 'SELECT id, body FROM receipts WHERE at BETWEEN ? AND ? ORDER BY at, seq LIMIT ?', from, until, limit).map(toReceipt)
    },
    listOfKeys({ keyId, after, limit }) {
      deferred.flush()
      // Both ways follow an index; the row id of a receipt is its place among those of the same moment.
      const rows = database.all(
        placedRowSchema,
        `SELECT id, at, seq, body FROM receipts WHERE ${keyId === undefined ? 'key_id IS NOT NULL' : 'key_id = ?'} AND (at, seq) < (?, ?) ORDER BY at DESC, seq DESC LIMIT ?`,
        ...(keyId === undefined ? [] : [keyId]), after?.at ?? Number.MAX_SAFE_INTEGER, after?.seq ?? Number.MAX_SAFE_INTEGER, limit,
      )
      return rows.map((row) => ({ place: { at: row.at, seq: row.seq }, receipt: toReceipt(row) }))
    },
  }
}

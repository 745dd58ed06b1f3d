import { z } from 'zod'
import type { Receipt } from '../../shared/receipt.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import {
  pagedRowSchema,
  receiptReader,
  toWaiting,
  writeReceipts,
  type WaitingReceipt,
} from './receipt-pages.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/** The limit while the disk fails. Beyond it, the oldest receipt is lost. */
const MOST_WAITING = 10_000

const placedRowSchema = pagedRowSchema.extend({ at: z.number(), seq: z.number() })

/**
 * Stores receipts. It's on the hot path of the proxy: a put only notes the receipt, which is sealed and
 * written with others a moment later. A read writes pending receipts first.
 */
export function receiptsIn(database: SealedDatabase, deferred: DeferredWrites): Store['receipts'] {
  let waiting: WaitingReceipt[] = []

  const noted = deferred.join({
    write: () => writeReceipts(database, waiting),
    written: () => (waiting = []),
    refused: () => waiting.splice(0, waiting.length - MOST_WAITING),
  })

  return {
    flush: () => deferred.flush(),
    put(receipt) {
      waiting.push(toWaiting(receipt))
      noted()
    },
    get(id): Receipt | null {
      deferred.flush()
      const row = database.get(pagedRowSchema, 'SELECT id, page, position FROM receipts WHERE id = ?', id)
      return row && receiptReader(database)(row)
    },
    list(limit): Receipt[] {
      deferred.flush()
      return database
        .all(
          pagedRowSchema,
          'SELECT id, page, position FROM receipts ORDER BY at DESC, seq DESC LIMIT ?',
          limit,
        )
        .map(receiptReader(database))
    },
    between(from, until, limit): Receipt[] {
      deferred.flush()
      return database
        .all(
          pagedRowSchema,
          'SELECT id, page, position FROM receipts WHERE at BETWEEN ? AND ? ORDER BY at, seq LIMIT ?',
          from,
          until,
          limit,
        )
        .map(receiptReader(database))
    },
    listOfKeys({ keyId, after, limit }) {
      deferred.flush()
      // Both queries use an index. The row id orders the receipts of the same moment.
      const rows = database.all(
        placedRowSchema,
        `SELECT id, at, seq, page, position FROM receipts WHERE ${keyId === undefined ? 'key_id IS NOT NULL' : 'key_id = ?'} AND (at, seq) < (?, ?) ORDER BY at DESC, seq DESC LIMIT ?`,
        ...(keyId === undefined ? [] : [keyId]),
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.seq ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      const read = receiptReader(database)
      return rows.map((row) => ({ place: { at: row.at, seq: row.seq }, receipt: read(row) }))
    },
  }
}

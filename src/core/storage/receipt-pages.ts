import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { receiptSchema, type Receipt } from '../../shared/receipt.ts'
import { parsed, type SealedDatabase } from './sealed-database.ts'

/** Small enough that reading one receipt decrypts few others. */
const RECEIPTS_OF_A_PAGE = 32

const lastSchema = z.object({ last: z.number() })
const bodySchema = z.object({ body: z.instanceof(Uint8Array) })
const pageSchema = z.array(z.unknown())

/** A receipt that isn't written to a page yet. */
export interface WaitingReceipt {
  readonly id: string
  readonly at: number
  readonly keyId: string | null
  /** The receipt when it was put. */
  readonly json: string
}

/** Serializes the receipt as it is now. A later change must be put again. */
export function toWaiting(receipt: Receipt): WaitingReceipt {
  return {
    id: receipt.id,
    at: Math.trunc(receipt.at),
    keyId: receipt.caller.localKeyId ?? null,
    json: JSON.stringify(receipt),
  }
}

/** The page and the position of a receipt. */
export const pagedRowSchema = z.object({ id: z.string(), page: z.number(), position: z.number() })
type PagedRow = z.infer<typeof pagedRowSchema>

const place = (page: number) => `receipt_pages/body/${String(page)}`

/**
 * Must run within a transaction, because the numbers of pages continue from the last one. If a receipt is
 * replaced, its old content stays in the old page, which no row refers to.
 */
export function writeReceipts(database: SealedDatabase, receipts: readonly WaitingReceipt[]): void {
  let page = database.get(lastSchema, 'SELECT coalesce(max(seq), 0) AS last FROM receipt_pages')?.last ?? 0
  for (let from = 0; from < receipts.length; from += RECEIPTS_OF_A_PAGE) {
    const together = receipts.slice(from, from + RECEIPTS_OF_A_PAGE)
    page += 1
    database.run(
      'INSERT INTO receipt_pages (seq, body) VALUES (?, ?)',
      page,
      database.sealJson(place(page), `[${together.map(({ json }) => json).join(',')}]`),
    )
    // One statement, in the order of the page: if two have the same id, the later one wins. Without WHERE,
    // SQLite would parse ON as part of a join.
    database.run(
      `INSERT INTO receipts (id, at, key_id, page, position) SELECT value ->> 0, value ->> 1, value ->> 2, ?, key FROM json_each(?) WHERE true
        ON CONFLICT (id) DO UPDATE SET at = excluded.at, key_id = excluded.key_id, page = excluded.page, position = excluded.position`,
      page,
      JSON.stringify(together.map(({ id, at, keyId }) => [id, at, keyId])),
    )
  }
}

/**
 * Reads receipts, decrypting each page once. A page is bound to its number, and a row to its page by the id
 * in the content. A row that refers to another receipt throws store/damaged.
 */
export function receiptReader(database: SealedDatabase): (row: PagedRow) => Receipt {
  const pages = new Map<number, readonly unknown[]>()

  function opened(page: number): readonly unknown[] {
    const known = pages.get(page)
    if (known) return known
    const row = database.get(bodySchema, 'SELECT body FROM receipt_pages WHERE seq = ?', page)
    const receipts = row ? database.unseal(pageSchema, place(page), row.body) : []
    pages.set(page, receipts)
    return receipts
  }

  return ({ id, page, position }) => {
    const receipt = parsed(receiptSchema, opened(page)[position])
    if (receipt.id !== id) throw new SottoError('store/damaged')
    return receipt
  }
}

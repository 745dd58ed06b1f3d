import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { receiptSchema, type Receipt } from '../../shared/receipt.ts'
import { parsed, type SealedDatabase } from './sealed-database.ts'

/** Few enough that looking at one receipt opens little else. */
const RECEIPTS_OF_A_PAGE = 32

const lastSchema = z.object({ last: z.number() })
const bodySchema = z.object({ body: z.instanceof(Uint8Array) })
const pageSchema = z.array(z.unknown())

/** A receipt that waits for its page. */
export interface WaitingReceipt {
  readonly id: string
  readonly at: number
  readonly keyId: string | null
  /** As it was when it was put. */
  readonly json: string
}

/** As it is now: what becomes of the receipt afterwards is put anew. */
export function toWaiting(receipt: Receipt): WaitingReceipt {
  return {
    id: receipt.id,
    at: Math.trunc(receipt.at),
    keyId: receipt.caller.localKeyId ?? null,
    json: JSON.stringify(receipt),
  }
}

/** Where a receipt is sealed. */
export const pagedRowSchema = z.object({ id: z.string(), page: z.number(), position: z.number() })
type PagedRow = z.infer<typeof pagedRowSchema>

const place = (page: number) => `receipt_pages/body/${String(page)}`

/** Within a transaction: pages are numbered on from the last that stands. A content that a later one replaces stays in its page, which no row names for it. */
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
    // One statement, in the order of the page: of two with one id the later wins. Without WHERE, ON would belong to a join.
    database.run(
      `INSERT INTO receipts (id, at, key_id, page, position) SELECT value ->> 0, value ->> 1, value ->> 2, ?, key FROM json_each(?) WHERE true
        ON CONFLICT (id) DO UPDATE SET at = excluded.at, key_id = excluded.key_id, page = excluded.page, position = excluded.position`,
      page,
      JSON.stringify(together.map(({ id, at, keyId }) => [id, at, keyId])),
    )
  }
}

/**
 * Opens each page once, for one look at the receipts. A page is bound to its number, and a row only by the id in what it names:
 * one that names anything else throws store/damaged.
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

import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import { receiptSchema, type Receipt } from '../shared/receipt.ts'
import type { Database } from './database.ts'

const rowSchema = z.object({ key_name: z.string().nullable(), body: receiptSchema })

/** A receipt with the name of its local key; null without a key. */
export interface SharedReceipt {
  readonly keyName: string | null
  readonly receipt: Receipt
}

export interface ReceiptSelection {
  /** Name or ID of a key, which may be revoked. */
  readonly key?: string
  /** Unix ms. Earlier receipts are omitted. */
  readonly since?: number
  /** By default 100. */
  readonly limit?: number
}

/**
 * Lists receipts of all replicas, the newest first.
 * @throws {SottoError} local-key/unknown – no key has this name or ID; database/…
 */
export async function listReceipts(
  database: Pick<Database, 'query'>,
  { key, since, limit = 100 }: ReceiptSelection = {},
): Promise<SharedReceipt[]> {
  const keyIds = key === undefined ? null : await findKeys(database, key)
  const rows = await database.query(
    rowSchema,
    `SELECT local_keys.name AS key_name, body FROM receipts LEFT JOIN local_keys ON local_keys.id = key_id
     WHERE ($1::uuid[] IS NULL OR key_id = ANY($1::uuid[]))
       AND at >= coalesce(to_timestamp($2::double precision / 1000), '-infinity')
     ORDER BY at DESC, receipts.id DESC LIMIT $3`,
    [keyIds, since ?? null, limit],
  )
  return rows.map(({ key_name, body }) => ({ keyName: key_name, receipt: body }))
}

/** Several keys may have had one name, one after the other. */
async function findKeys(database: Pick<Database, 'query'>, nameOrId: string): Promise<string[]> {
  const keys = await database.query(
    z.object({ id: z.string() }),
    'SELECT id FROM local_keys WHERE name = $1 OR id::text = $1',
    [nameOrId],
  )
  if (keys.length === 0) throw new SottoError('local-key/unknown')
  return keys.map(({ id }) => id)
}

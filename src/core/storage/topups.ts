import { z } from 'zod'
import { topupSchema } from '../../shared/topup.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const topupRecordSchema = topupSchema
  .pick({
    id: true,
    invoiceId: true,
    accountId: true,
    method: true,
    state: true,
    amount: true,
    currency: true,
    createdAt: true,
    expiresAt: true,
    settledAt: true,
    coinAmount: true,
    received: true,
    lightningInvoice: true,
    address: true,
    problem: true,
  })
  .extend({
    /** The payment hash of the Lightning invoice. */
    paymentHash: z.string().exactOptional(),
    /** Unix ms since which the service no longer knows the invoice. */
    missingSince: z.number().exactOptional(),
  })
/** A stored top-up invoice: the request, the first response of the service, and the outcome. */
export type TopupRecord = Readonly<z.infer<typeof topupRecordSchema>>

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const place = (id: string) => `topups/body/${id}`

/**
 * Stores top-up invoices, each sealed under its id. A put is fsynced before it returns, because the user
 * may pay the invoice next.
 */
export function topupsIn(database: SealedDatabase): Store['topups'] {
  const toTopup = ({ id, body }: z.infer<typeof rowSchema>): TopupRecord =>
    database.unseal(topupRecordSchema, place(id), body)
  return {
    list: () =>
      database.all(rowSchema, 'SELECT id, body FROM topups ORDER BY at DESC, seq DESC').map(toTopup),
    get(id) {
      const row = database.get(rowSchema, 'SELECT id, body FROM topups WHERE id = ?', id)
      return row && toTopup(row)
    },
    put(topup) {
      database.durably(() =>
        database.run(
          'INSERT INTO topups (id, at, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body',
          topup.id,
          Math.trunc(topup.createdAt),
          database.seal(place(topup.id), topupRecordSchema.parse(topup)),
        ),
      )
    },
    remove: (id) => database.run('DELETE FROM topups WHERE id = ?', id) > 0,
  }
}

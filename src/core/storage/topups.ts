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
    /** Of the Lightning invoice. */
    paymentHash: z.string().exactOptional(),
    /** Unix ms since which the service knows nothing of it. */
    missingSince: z.number().exactOptional(),
  })
/** A topup invoice as it is kept: what was asked for, what the service answered first, and what became of it. */
export type TopupRecord = Readonly<z.infer<typeof topupRecordSchema>>

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const place = (id: string) => `topups/body/${id}`

/** Topup invoices, each sealed under its id. What is put is fsynced before it returns: somebody may pay the invoice next. */
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

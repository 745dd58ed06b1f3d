import { z } from 'zod'
import { msatSchema } from './lightning.ts'
import { paymentStateSchema } from './purchase.ts'

export const topupMethodNames = ['btc-lightning', 'btc', 'ltc', 'lbtc', 'xmr'] as const
export type TopupMethodName = (typeof topupMethodNames)[number]

/** A way to top up, with the service's limits of now. Decimal text in each currency. */
export const topupMethodSchema = z.object({
  method: z.enum(topupMethodNames),
  displayName: z.string(),
  currencies: z.array(
    z.object({
      currency: z.enum(['SATS', 'BTC', 'USD']),
      min: z.string().exactOptional(),
      max: z.string().exactOptional(),
    }),
  ),
})
export type TopupMethod = z.infer<typeof topupMethodSchema>

/**
 * What the service reports to have received for an invoice, in the coin. `paid`, and how much of the invoice it covers, is absent if the
 * service reports money but no amount that fits the invoice. `due` is the rest to pay; it's absent if nothing is due,
 * and if the service's figure doesn't fit the invoice.
 */
const receivedSchema = z.object({
  paid: z.string().exactOptional(),
  covers: z.enum(['part', 'whole', 'more']).exactOptional(),
  due: z.string().exactOptional(),
})
export type Received = z.infer<typeof receivedSchema>

export const topupStates = [
  'new',
  'processing',
  'settled',
  'expired',
  'invalid',
  'refunded',
  'replaced',
  'unknown',
] as const

/** A top-up invoice that Sotto made. It outlives this process. */
export const topupSchema = z.object({
  id: z.string(),
  /** The service's id of it, which its support asks for. */
  invoiceId: z.string(),
  accountId: z.string(),
  method: z.enum(topupMethodNames),
  state: z.enum(topupStates),
  /** The requested amount: decimal text in `currency`. */
  amount: z.string(),
  currency: z.enum(['SATS', 'BTC', 'USD']),
  /** Unix ms. */
  createdAt: z.number(),
  expiresAt: z.number().exactOptional(),
  /** Unix ms of when Sotto learned that it was settled. */
  settledAt: z.number().exactOptional(),
  /** The whole amount in the coin, decimal text. */
  coinAmount: z.string().exactOptional(),
  /** Absent until the service reports money. */
  received: receivedSchema.exactOptional(),
  /** Lower case, for copying. */
  lightningInvoice: z.string().exactOptional(),
  address: z.string().exactOptional(),
  /**
   * What a QR code shows, in the form that wallets of this method read. Sotto writes it, never the service. After a part of the amount
   * arrived, it asks for the rest. Absent if the invoice must not be paid any more, if a payment is in progress, and if it doesn't match
   * the request: `problem` then has the reason's code.
   */
  uri: z.string().exactOptional(),
  problem: z.string().exactOptional(),
  /** False in the sandbox: no wallet of a real network pays it. */
  payable: z.boolean(),
  /** A payment of it by the connected wallet. */
  payment: paymentStateSchema.exactOptional(),
  /** The additional fee of that payment, once the wallet reported it. */
  feeMsat: msatSchema.exactOptional(),
})
export type Topup = z.infer<typeof topupSchema>

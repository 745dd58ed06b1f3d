import { z } from 'zod'
import { msatSchema } from './lightning.ts'
import { paymentStateSchema } from './purchase.ts'

export const topupMethodNames = ['btc-lightning', 'btc', 'ltc', 'lbtc', 'xmr'] as const
export type TopupMethodName = (typeof topupMethodNames)[number]

/** A way to top up, with the service's limits of now. Decimal text in each currency. */
export const topupMethodSchema = z.object({
  method: z.enum(topupMethodNames),
  displayName: z.string(),
  currencies: z.array(z.object({ currency: z.enum(['SATS', 'BTC', 'USD']), min: z.string().exactOptional(), max: z.string().exactOptional() })),
})
export type TopupMethod = z.infer<typeof topupMethodSchema>

/** A topup invoice that was made here. It outlives this process. */
export const topupSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  method: z.enum(topupMethodNames),
  state: z.enum(['new', 'processing', 'settled', 'expired', 'invalid', 'unknown']),
  /** As asked: decimal text in `currency`. */
  amount: z.string(),
  currency: z.enum(['SATS', 'BTC', 'USD']),
  /** Unix ms. */
  createdAt: z.number(),
  expiresAt: z.number().exactOptional(),
  /** What the coin's own network is paid, decimal text in the coin. */
  coinAmount: z.string().exactOptional(),
  /** Lower case, for copying. */
  lightningInvoice: z.string().exactOptional(),
  address: z.string().exactOptional(),
  /**
   * What a QR code shows, in the form that wallets of this method read; made here, never the service's. Absent where the
   * invoice must not be paid any more, is under way, or is not what was asked for: `problem` then says why.
   */
  uri: z.string().exactOptional(),
  problem: z.string().exactOptional(),
  /** False in the sandbox: no wallet of a real network pays it. */
  payable: z.boolean(),
  /** A payment of it by the connected wallet. */
  payment: paymentStateSchema.exactOptional(),
  /** What that payment cost on top, once the wallet said so. */
  feeMsat: msatSchema.exactOptional(),
})
export type Topup = z.infer<typeof topupSchema>

import { z } from 'zod'
import { msatSchema, spendingLimitsSchema } from './lightning.ts'
import { picoUsdSchema } from './receipt.ts'

/** The Lightning wallet that pays for invoices and single requests, without the secret of its connection. */
export const walletConnectionSchema = z.object({
  /** `sandbox`: the simulated wallet of the sandbox, which has no real money. */
  kind: z.enum(['nwc', 'sandbox']),
  /** The wallet's public key (NIP-47), 64 hex digits. */
  publicKey: z.string(),
  /** Hosts of its relays. */
  relays: z.array(z.string()),
  /** The wallet's own name: untrusted text. */
  alias: z.string().exactOptional(),
  /** The methods that it reports as supported. */
  methods: z.array(z.string()),
  /** It can say what became of a payment; without that nothing is paid unless a person asks for each payment. */
  canLookUp: z.boolean(),
  /** Unix ms. */
  connectedAt: z.number(),
})
export type WalletConnection = z.infer<typeof walletConnectionSchema>

export const walletSchema = z.object({
  connection: walletConnectionSchema.nullable(),
  limits: spendingLimitsSchema,
  /** Money paid with fees, and pending, in the last 24 hours. */
  spent: z.object({ day: msatSchema, held: msatSchema }),
  /** Hosts that were paid before, so that they are not asked about again. */
  hosts: z.array(z.object({ host: z.string(), spentInDay: msatSchema, firstPaidAt: z.number() })),
  /** Why nothing is paid without being asked, after failures in a row. Absent: it works. Unix ms of when that ends. */
  paused: z
    .object({ reason: z.enum(['undelivered', 'wallet']), until: z.number().exactOptional() })
    .exactOptional(),
  /**
   * The value of a satoshi in pico-USD, according to the service's last Lightning top-up invoice in
   * dollars; absent if there was none within a day. Unix ms.
   */
  rate: z.object({ picoUsdPerSat: picoUsdSchema, learnedAt: z.number() }).exactOptional(),
})
export type Wallet = z.infer<typeof walletSchema>

/** The current values that the wallet reports. Absent if it doesn't report them. */
export const walletFundsSchema = z.object({
  balance: msatSchema.exactOptional(),
  /** The amount that this connection may spend. */
  budget: z
    .object({ used: msatSchema, total: msatSchema, renewsAt: z.number().exactOptional() })
    .exactOptional(),
})
export type WalletFunds = z.infer<typeof walletFundsSchema>

/** The service's own wallet connection, which charges that wallet whenever the balance is low. */
export const automaticTopupSchema = z.discriminatedUnion('connected', [
  z.object({ connected: z.literal(false) }),
  /** Pico-USD in decimal text. */
  z.object({
    connected: z.literal(true),
    threshold: z.string().exactOptional(),
    amount: z.string().exactOptional(),
  }),
])
export type AutomaticTopupView = z.infer<typeof automaticTopupSchema>

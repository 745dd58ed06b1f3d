import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'
import { msatSchema } from './lightning.ts'
import { callerSchema, picoUsdSchema } from './receipt.ts'

/**
 * The state of a Lightning payment. `paying`: the wallet was asked and hasn't answered; `held`: it locked the money and waits; `unknown`: the
 * outcome isn't known yet, and the money counts as spent; `closed`: a person ended the wait, and the outcome isn't known; `given-up`: paid, not
 * delivered, and no longer requested. Only `failed` and `expired` mean that nothing was paid.
 */
export const paymentStates = [
  'quoted',
  'declined',
  'paying',
  'held',
  'unknown',
  'closed',
  'failed',
  'expired',
  'paid',
  'delivered',
  'undelivered',
  'given-up',
] as const
export const paymentStateSchema = z.enum(paymentStates)
export type PaymentState = z.infer<typeof paymentStateSchema>

/** Why a person has to say yes to a payment. */
export const askReasons = ['first-host', 'above-automatic', 'no-lookup', 'paused'] as const

/** A single request that is paid per request, or can be (specification, Authentication 6). */
export const purchaseSchema = z.object({
  id: z.string(),
  /** Unix ms. */
  at: z.number(),
  caller: callerSchema,
  /** Who is paid. */
  host: z.string(),
  endpoint: z.enum(['images/generations', 'images/edits', 'videos', 'data']),
  /** A model, or a path below /v1/data. */
  subject: z.string(),
  state: paymentStateSchema,
  /** From the decoded invoice. */
  amountMsat: msatSchema,
  /**
   * The value of the amount in dollars at the time of the quote, by the exchange rate known then. Absent if
   * none was known.
   */
  worth: picoUsdSchema.exactOptional(),
  feeMsat: msatSchema.exactOptional(),
  /** The highest cost from a balance, according to the listing. Absent if unknown. */
  listed: picoUsdSchema.exactOptional(),
  /** The service's words: untrusted. */
  description: z.string().exactOptional(),
  /** 64 hex digits. */
  paymentHash: z.string(),
  /** Unix ms: the earlier of the challenge's end and the invoice's. */
  expiresAt: z.number(),
  /** While `quoted`: why paying it asks for a yes outside the window, and what a QR code shows. */
  asks: z.array(z.enum(askReasons)),
  uri: z.string().exactOptional(),
  /** False in the sandbox. */
  payable: z.boolean(),
  /** How often it was sent with the proof of payment. */
  attempts: z.int().min(0),
  /** The delivered files, stored sealed on this computer. */
  files: z.array(z.object({ index: z.int().min(0), contentType: z.string(), bytes: z.int().min(0) })),
  /** A video: how far it is. */
  job: z.object({ id: z.string(), status: z.enum(['pending', 'completed', 'failed']) }).exactOptional(),
  receiptId: z.string().exactOptional(),
  failure: failureSchema.exactOptional(),
})
export type Purchase = z.infer<typeof purchaseSchema>

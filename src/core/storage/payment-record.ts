import { z } from 'zod'
import { storedErrorCodeSchema } from '../../shared/error-codes/stored-code.ts'
import { paymentChallengeSchema } from '../../shared/payment-challenge.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import { callerSchema } from '../../shared/receipt.ts'
import { storedTextSchema } from '../../shared/localized-text-schema.ts'

/** Requires a schema for each member, because a member without one wouldn't be stored. */
type Whole<T> = Record<keyof T, z.ZodType>
/** Money as decimal text in the sealed JSON. */
const whole = z.codec(z.string().regex(/^\d{1,40}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
})

/**
 * The bytes of the request are stored separately, and this sealed digest binds them. null: there are none,
 * or they were removed.
 */
const storedBodySchema = z.object({ bytes: z.int().min(1), digest: z.string() })
export type StoredBody = z.infer<typeof storedBodySchema>

const requestSchema = z.object({
  endpoint: z.enum(['images/generations', 'images/edits', 'videos', 'data']),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  contentType: z.string().exactOptional(),
  body: storedBodySchema.nullable(),
})
/** The request of a payment, without its bytes. */
export type SealedRequest = z.infer<typeof requestSchema>

/** The sealed part of a payment: everything except the columns and the bytes of the request. */
export const sealedPaymentSchema = z.object({
  at: z.number(),
  caller: callerSchema,
  host: z.string(),
  purpose: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('request'),
      request: requestSchema,
      challenge: paymentChallengeSchema.exactOptional(),
      challengeMarks: z.array(z.string()).readonly().exactOptional(),
      subject: z.string(),
      description: z.string().exactOptional(),
      listed: whole.exactOptional(),
    } satisfies Whole<Extract<PaymentRecord['purpose'], { kind: 'request' }>>),
    z.object({ kind: z.literal('topup'), topupId: z.string() }),
  ]),
  invoice: z.string(),
  paymentHash: z.string(),
  amountMsat: whole,
  worth: whole.exactOptional(),
  feeMsat: whole.exactOptional(),
  expiresAt: z.number(),
  wallet: z.string().exactOptional(),
  reservedAt: z.number().exactOptional(),
  preimage: z.string().exactOptional(),
  paidAt: z.number().exactOptional(),
  attempts: z.int().min(0),
  credential: z.enum(['l402', 'payment']).exactOptional(),
  delivered: z
    .object({
      status: z.int(),
      files: z.array(z.object({ contentType: z.string(), bytes: z.int().min(0) })).readonly(),
      statusUrl: z.string().exactOptional(),
      job: z.object({ id: z.string(), status: z.enum(['pending', 'completed', 'failed']) }).exactOptional(),
    })
    .exactOptional(),
  unclaimed: z.string().length(64).exactOptional(),
  receiptId: z.string().exactOptional(),
  failure: z
    .object({ code: storedErrorCodeSchema, detail: storedTextSchema.exactOptional() })
    .exactOptional(),
} satisfies Whole<Omit<PaymentRecord, 'id' | 'state'>>)
export type SealedPayment = z.infer<typeof sealedPaymentSchema>

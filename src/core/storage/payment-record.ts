import { createHash } from 'node:crypto'
import { z } from 'zod'
import { storedErrorCodeSchema } from '../../shared/error-codes/stored-code.ts'
import { paymentChallengeSchema } from '../../shared/payment-challenge.ts'
import type { FrozenRequest, PaymentRecord } from '../../shared/payment-record.ts'
import type { PaymentState } from '../../shared/purchase.ts'
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
type SealedPayment = z.infer<typeof sealedPaymentSchema>

/** The columns of a payment's row that aren't sealed. */
export interface PaymentColumns {
  readonly id: string
  readonly at: number
  readonly state: PaymentState
  readonly reserved_at: number | null
  /** A keyed hash of the payment hash. */
  readonly hash_index: Uint8Array
}

/** The sealed part of a host that was paid. */
export const hostSchema = z.object({ host: z.string() })

/**
 * Binds a row to its columns: an attacker who can write the database can't mark a payment as failed, or
 * assign it to another one.
 */
export function paymentPlace({ id, at, state, reserved_at, hash_index }: PaymentColumns): string {
  return `payments/body/${id}/${String(at)}/${state}/${String(reserved_at)}/${hexOf(hash_index)}`
}

/** The place of the bytes of a payment's request. */
export function requestPlace(id: string): string {
  return `payment_requests/body/${id}`
}

/** The place of a paid host. @param index a keyed hash of the host */
export function hostPlace(index: Uint8Array, firstPaidAt: number): string {
  return `paid_hosts/body/${hexOf(index)}/${String(firstPaidAt)}`
}

/** Returns the columns of a payment's row. */
export function columnsOf<Index extends Uint8Array>(
  { id, state, at, reservedAt }: PaymentRecord,
  hash_index: Index,
): PaymentColumns & { readonly hash_index: Index } {
  return {
    id,
    state,
    at: Math.trunc(at),
    reserved_at: reservedAt === undefined ? null : Math.trunc(reservedAt),
    hash_index,
  }
}

/** Returns the part of a payment that is sealed, as JSON. @param body of its request */
export function sealedOf(
  { id: _, state: __, purpose, ...others }: PaymentRecord,
  body: StoredBody | null,
): z.input<typeof sealedPaymentSchema> {
  if (purpose.kind === 'topup') return z.encode(sealedPaymentSchema, { ...others, purpose })
  const { endpoint, method, path, contentType } = purpose.request
  const request = { endpoint, method, path, ...(contentType !== undefined && { contentType }), body }
  return z.encode(sealedPaymentSchema, { ...others, purpose: { ...purpose, request } })
}

/**
 * Returns the payment of a row.
 * @param withBody adds the bytes of the request, which are stored separately
 */
export function paymentOf(
  { id, state }: PaymentColumns,
  { purpose, ...sealed }: SealedPayment,
  withBody: (request: SealedRequest) => FrozenRequest,
): PaymentRecord {
  return {
    id,
    state,
    ...sealed,
    purpose: purpose.kind === 'request' ? { ...purpose, request: withBody(purpose.request) } : purpose,
  }
}

/** Describes the bytes of a request. Returns null if there are none. */
export function storedBodyOf(body: Uint8Array): StoredBody | null {
  return body.byteLength === 0 ? null : { bytes: body.byteLength, digest: sha256(body) }
}

/** Whether these are the bytes of the request. */
export function isStoredBody(body: Uint8Array, { bytes, digest }: StoredBody): boolean {
  return body.byteLength === bytes && sha256(body) === digest
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

import { z } from 'zod'
import type { Receipt } from '../shared/receipt.ts'

/** A sum of pico-USD, which PostgreSQL's numeric returns as decimal text. */
export const amountSchema = z
  .string()
  .regex(/^\d{1,40}$/)
  .transform(BigInt)

/** Reserves the most that a request can cost, before it's sent. */
export interface ReserveOperation {
  readonly kind: 'reserve'
  readonly receiptId: string
  readonly keyId: string
  /** pico-USD */
  readonly most: bigint | 'unknown'
}

/** Counts a request against the requests and tokens per minute of a key, and its parallel requests. */
export interface TakeOperation {
  readonly kind: 'take'
  readonly keyId: string
  /** A UUID; only if the key limits parallel requests. */
  readonly requestId?: string
}

/** Ends a request that counted among the parallel ones. It may be applied twice. */
export interface EndOperation {
  readonly kind: 'end'
  readonly keyId: string
  readonly requestId: string
}

/**
 * Ends a request: its reservation, the charge and the receipt, all or none. It may be applied twice, because a
 * connection can break during a commit.
 */
export interface SettleOperation {
  readonly kind: 'settle'
  readonly receiptId: string
  /** Undefined for a request without a local key, which has only a receipt. */
  readonly keyId: string | undefined
  /** The day of the charge if the request has no reservation in the database. */
  readonly day: number
  /** pico-USD */
  charged: bigint
  receipt: Receipt | undefined
}

export type LedgerOperation = ReserveOperation | TakeOperation | EndOperation | SettleOperation

/** The result of one operation: the day of a reservation, nothing for the others, or why it was refused. */
export type OperationResult =
  | { readonly ok: true; readonly day: number }
  | { readonly ok: false; readonly refusal: unknown }

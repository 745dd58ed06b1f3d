import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { PaymentState } from '../../shared/purchase.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'

/**
 * The request that is paid for, byte for byte as it first left: it is sent again as it is, after a crash too, and with the
 * same Idempotency-Key, which is the id of its record.
 */
export interface FrozenRequest {
  readonly endpoint: 'images/generations' | 'images/edits' | 'videos' | 'data'
  readonly method: 'GET' | 'POST'
  /** Below the base address, with its query. */
  readonly path: string
  /** Absent where there is no body. */
  readonly contentType?: string
  readonly body: Uint8Array
}

/**
 * One Lightning payment from its quote to its end. All of it but id, state and times stands sealed at rest; `preimage`, the
 * challenge's token and the request are secrets, and are dropped once they are of no more use.
 */
export interface PaymentRecord {
  readonly id: string
  readonly at: number
  readonly caller: Caller
  /** Host (with its port, where it is not the default) that is paid, as the profile's base address names it. */
  readonly host: string
  readonly state: PaymentState
  /** What is paid for: a single request, or a topup invoice of the account. */
  readonly purpose:
    | {
      readonly kind: 'request'
      /** Once of no more use, without its body and its query. */
      readonly request: FrozenRequest
      /** Absent once of no more use: what it carries is half of a credential. */
      readonly challenge?: PaymentChallenge
      /** In its place from then on: it is not paid again under another invoice. */
      readonly challengeMarks?: readonly string[]
      readonly subject: string
      /** The service's words, for display alone. */
      readonly description?: string
      /** Pico-USD, by the listing. */
      readonly listed?: bigint
    }
    | { readonly kind: 'topup'; readonly topupId: string }
  readonly invoice: string
  /** 64 lower-case hex digits; one payment for each, for good, unless it is certain that it failed. */
  readonly paymentHash: string
  readonly amountMsat: bigint
  /** Pico-USD that the amount was worth when the invoice was judged, where a rate was known. */
  readonly worth?: bigint
  readonly feeMsat?: bigint
  /** Unix ms. */
  readonly expiresAt: number
  /** NIP-47 key of the wallet that was asked; absent where a person paid with another one. */
  readonly wallet?: string
  /** Unix ms of when the money was reserved: from then on it counts as spent, until it is certain that it was not. */
  readonly reservedAt?: number
  readonly preimage?: string
  /** Unix ms of when it was proven that it was paid. */
  readonly paidAt?: number
  /** How often it was sent with the proof of payment. */
  readonly attempts: number
  /** The credential that the service took. */
  readonly credential?: 'l402' | 'payment'
  readonly delivered?: { readonly status: number; readonly files: readonly { readonly contentType: string; readonly bytes: number }[]; readonly statusUrl?: string; readonly job?: { readonly id: string; readonly status: 'pending' | 'completed' | 'failed' } }
  readonly receiptId?: string
  readonly failure?: { readonly code: ErrorCode; readonly detail?: string }
}

/** Keeps payments. The store fills it; core/payment alone decides what is written, and when. */
export interface PaymentJournal {
  /** Returns once the record outlives this process and this machine's power (fsync). Throws store/unwritable; then nothing changed. */
  put(record: PaymentRecord): void
  get(id: string): PaymentRecord | null
  byPaymentHash(paymentHash: string): readonly PaymentRecord[]
  /** Whatever has not ended: everything but declined, failed, expired and delivered; and what was given up, which holds a proof. The oldest first. */
  open(): readonly PaymentRecord[]
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /** Reserved since this moment (Unix ms), in any state that is not certain to have failed. */
  reservedSince(at: number): readonly { readonly host: string; readonly amountMsat: bigint; readonly feeMsat: bigint; readonly at: number; readonly settled: boolean }[]
  /** Hosts that were paid, with when first; kept beyond the records. */
  paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
  forgetHost(host: string): void
}

/** What was delivered, sealed at rest. The store fills it. */
export interface DeliveredFiles {
  /** Returns the bytes that were kept. Throws store/unwritable, and what the body throws; nothing is then kept. */
  save(recordId: string, index: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /** Throws store/damaged; null where there is none. */
  read(recordId: string, index: number): Promise<Uint8Array | null>
  remove(recordId: string): Promise<void>
}

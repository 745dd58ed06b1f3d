import type { ErrorCode } from './error-codes.ts'
import type { PaymentChallenge } from './payment-challenge.ts'
import type { PaymentState } from './purchase.ts'
import type { Caller } from './receipt.ts'
import type { LocalizedText } from './localized-text.ts'

/**
 * The request that is paid for, byte for byte as it first left: it is sent again as it is, after a crash too, and with the
 * same Idempotency-Key, which is the id of its record.
 */
export interface FrozenRequest {
  readonly endpoint: 'images/generations' | 'images/edits' | 'videos' | 'data'
  readonly method: 'GET' | 'POST'
  /** Below the base URL, with its query. */
  readonly path: string
  /** Absent without a body. */
  readonly contentType?: string
  /** The body of a stored record is read from its file on access: throws store/damaged. */
  readonly body: Uint8Array
}

/**
 * One Lightning payment from its quote to its end. Everything except id, state and times is sealed on disk.
 * `preimage`, the challenge's token and the request are secrets, and are deleted once they aren't needed
 * any more.
 */
export interface PaymentRecord {
  readonly id: string
  readonly at: number
  readonly caller: Caller
  /** The host that is paid (with the port if it isn't the default), as in the profile's base URL. */
  readonly host: string
  readonly state: PaymentState
  /** The purpose: a single request, or a top-up invoice of the account. */
  readonly purpose:
    | {
        readonly kind: 'request'
        /** Once of no more use, without its body and its query. */
        readonly request: FrozenRequest
        /** Deleted once it's not needed, because its content is half of a credential. */
        readonly challenge?: PaymentChallenge
        /** Replaces the challenge from then on, so that it isn't paid again with another invoice. */
        readonly challengeMarks?: readonly string[]
        readonly subject: string
        /** The service's text, only for display. */
        readonly description?: string
        /** Pico-USD, by the listing. */
        readonly listed?: bigint
      }
    | { readonly kind: 'topup'; readonly topupId: string }
  readonly invoice: string
  /** 64 lower-case hex digits; one payment for each, for good, unless it is certain that it failed. */
  readonly paymentHash: string
  readonly amountMsat: bigint
  /** The value of the amount in pico-USD when the invoice was verified, if an exchange rate was known. */
  readonly worth?: bigint
  readonly feeMsat?: bigint
  /** Unix ms. */
  readonly expiresAt: number
  /** NIP-47 key of the wallet that was asked to pay; absent if a person paid with another wallet. */
  readonly wallet?: string
  /** When the money was reserved: Unix ms, of the clock that limits count by. From then on it counts as spent, until it is certain that it was not. */
  readonly reservedAt?: number
  readonly preimage?: string
  /** Unix ms of when it was proven that it was paid. */
  readonly paidAt?: number
  /** How often it was sent with the proof of payment. */
  readonly attempts: number
  /** The credential that the service took. */
  readonly credential?: 'l402' | 'payment'
  readonly delivered?: {
    readonly status: number
    readonly files: readonly { readonly contentType: string; readonly bytes: number }[]
    readonly statusUrl?: string
    readonly job?: { readonly id: string; readonly status: 'pending' | 'completed' | 'failed' }
  }
  /** Fingerprint of a tool's request whose answer was saved, until the tool has read the answer. */
  readonly unclaimed?: string
  readonly receiptId?: string
  readonly failure?: { readonly code: ErrorCode; readonly detail?: LocalizedText }
}

/** The wallet was asked, and the outcome is unknown. */
export function isUncertain(state: PaymentState): boolean {
  return state === 'paying' || state === 'held' || state === 'unknown'
}

/** A preimage has proved the payment, whatever the result of the delivery. */
export function isPaid(state: PaymentState): boolean {
  return state === 'paid' || state === 'delivered' || state === 'undelivered' || state === 'given-up'
}

/**
 * It ended without a proof: nothing was paid, or a person closed a payment whose outcome isn't known. It doesn't count
 * towards a limit.
 */
export function hasEndedUnproven(state: PaymentState): boolean {
  return state === 'declined' || state === 'failed' || state === 'expired' || state === 'closed'
}

/** It hasn't ended, or it's abandoned and has a proof for a claim. */
export function isOpen(state: PaymentState): boolean {
  return state !== 'delivered' && !hasEndedUnproven(state)
}

/** It was paid or may have been, so its hash isn't paid again. */
export function mayBePaid({ state, reservedAt }: Pick<PaymentRecord, 'state' | 'reservedAt'>): boolean {
  return (
    isUncertain(state) ||
    isPaid(state) ||
    state === 'closed' ||
    (state === 'expired' && reservedAt !== undefined)
  )
}

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
  /** Absent where there is no body. */
  readonly contentType?: string
  /** Of a kept record, read from its file when it is asked for: throws store/damaged. */
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
  /** Host (with its port, where it is not the default) that is paid, as the profile's base URL names it. */
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
  readonly receiptId?: string
  readonly failure?: { readonly code: ErrorCode; readonly detail?: LocalizedText }
}

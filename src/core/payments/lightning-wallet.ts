import type { ErrorCode } from '../../shared/error-codes.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** A preimage as the wallet gave it. The caller checks that it proves the payment. */
export interface PaymentProof {
  readonly preimage: string
  readonly feeMsat?: bigint
}

/** The outcome of a request to pay, as far as the wallet can be believed. */
export type PaymentOutcome =
  | ({ readonly outcome: 'paid' } & PaymentProof)
  /** Certain: the request never left this machine. */
  | { readonly outcome: 'not-paid'; readonly code: ErrorCode; readonly detail?: LocalizedText }
  /** The wallet reports that it refused. Only a lookup, or the end of the invoice, makes that certain: wallets have said so of payments in flight. */
  | { readonly outcome: 'refused'; readonly code: ErrorCode }
  | { readonly outcome: 'unknown' }

export type LookedUp =
  | { readonly state: 'settled'; readonly preimage?: string; readonly feeMsat?: bigint }
  | { readonly state: 'failed' | 'expired' | 'pending' | 'held' }
  /** The wallet knows of no such payment, which is no proof of anything for a while. */
  | { readonly state: 'not-found' }
  | { readonly state: 'unreachable' }

/** A wallet that pays. Neither call ever throws: a payment that was asked for is never lost in an exception. */
export interface LightningWallet {
  /** NIP-47, 64 hex digits. */
  readonly publicKey: string
  readonly canLookUp: boolean
  /**
   * `onLater` gets a proof that comes after the returned outcome, until `signal` aborts. `expiresAt`: the invoice's own end (Unix ms): the wallet is told not to pay later. `sendBefore`: when that is by this
   * machine's clock, which may go wrong; from then on nothing is sent. Aborting ends the wait: the outcome is then unknown, or not paid where nothing was sent yet.
   */
  pay(
    invoice: string,
    options: {
      readonly expiresAt: number
      readonly sendBefore?: number
      readonly signal: AbortSignal
      readonly onLater?: (proof: PaymentProof) => void
    },
  ): Promise<PaymentOutcome>
  lookUp(paymentHash: string, signal: AbortSignal): Promise<LookedUp>
}

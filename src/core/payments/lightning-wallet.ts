import type { ErrorCode } from '../../shared/error-codes.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** A preimage from the wallet. The caller checks that it proves the payment. */
export interface PaymentProof {
  readonly preimage: string
  readonly feeMsat?: bigint
}

/** The outcome of a request to pay, as far as the wallet is reliable. */
export type PaymentOutcome =
  | ({ readonly outcome: 'paid' } & PaymentProof)
  /** Certain: the request never left this computer. */
  | { readonly outcome: 'not-paid'; readonly code: ErrorCode; readonly detail?: LocalizedText }
  /**
   * The wallet reports that it refused. Wallets have reported that for payments in flight, so only a lookup
   * or the invoice's expiry makes it certain.
   */
  | { readonly outcome: 'refused'; readonly code: ErrorCode }
  | { readonly outcome: 'unknown' }

export type LookedUp =
  | { readonly state: 'settled'; readonly preimage?: string; readonly feeMsat?: bigint }
  | { readonly state: 'failed' | 'expired' | 'pending' | 'held' }
  /** The wallet knows no such payment. For a while that proves nothing. */
  | { readonly state: 'not-found' }
  | { readonly state: 'unreachable' }

/** A wallet that pays. Neither call ever throws, so that no requested payment is lost in an exception. */
export interface LightningWallet {
  /** NIP-47, 64 hex digits. */
  readonly publicKey: string
  readonly canLookUp: boolean
  /** Present for the sandbox's own wallet, which holds no real money. */
  readonly simulated?: true
  /**
   * Pays an invoice.
   * `onLater` gets a proof that arrives after the returned outcome, until `signal` aborts. `expiresAt` is the
   * invoice's own expiry (Unix ms): the wallet is asked not to pay later. `sendBefore` is the same time by
   * this computer's clock, which may be wrong: after it nothing is sent. Aborting ends the wait: the outcome
   * is then unknown, or not paid if nothing was sent yet.
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

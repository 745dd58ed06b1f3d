import type { Caller } from '../../../shared/receipt.ts'
import type { FrozenRequest } from '../../../shared/payment-record.ts'

/** A request that is paid for by itself, as it was frozen. */
export interface Purchase {
  readonly request: FrozenRequest
  readonly caller: Caller
  /** A model, or a path below /v1/data. */
  readonly subject: string
  /** Pico-USD: the most that it can cost by the listing; absent where that is not known. */
  readonly listed?: bigint
  readonly receiptId: string
}

/** What was bought, whole: it is kept on this machine, and handed on from there. */
export interface PurchaseResult {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

export interface PayerCall {
  readonly signal: AbortSignal
  /** Nothing was bought for it before: money may be spent next. What it throws ends the purchase. */
  readonly onBuying: () => void
  /** It is handed what was bought before, and costs nothing more: that stands on the receipt of whoever asked first. */
  readonly onJoined: () => void
  /** The request is about to leave. */
  readonly onLeaving: () => void
  /** The wallet paid so much for it, with the fee, whatever becomes of its delivery; of a purchase that was not joined. */
  readonly onPaid: (msat: bigint) => void
}

/** Pays for single requests where there is no account. core.ts fills it from core/payments. */
export interface Payer {
  /** Throws wallet/not-connected where there is nothing to pay from. */
  requireWallet(): void
  /** Asks for the price, and pays nothing. Returns the purchase's id. Throws payment/… where the demand is refused, service/…. */
  quote(purchase: Purchase, call: Pick<PayerCall, 'signal' | 'onLeaving'>): Promise<string>
  /**
   * Asks for the price, pays within the limits that were set and without asking anybody, and has it delivered. The signal
   * ends it before the wallet is asked; after that it goes on without whoever asked, and what comes is kept.
   * Throws wallet/… and payment/…; what else it throws says that nothing was paid.
   */
  buy(purchase: Purchase, call: PayerCall): Promise<PurchaseResult>
  /** @returns undefined if no purchase from here has this job */
  jobOf(jobId: string): PurchasedJob | undefined
}

/** A video job that was paid per request. */
export interface PurchasedJob {
  /** The signed address of its status. */
  readonly statusUrl?: string
  /** The receipt of the request. */
  readonly receiptId?: string
}

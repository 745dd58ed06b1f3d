import type { Caller } from '../../../shared/receipt.ts'
import type { FrozenRequest } from '../../../shared/payment-record.ts'

/** A frozen request that is paid separately. */
export interface PurchaseRequest {
  readonly request: FrozenRequest
  readonly caller: Caller
  /** A model, or a path below /v1/data. */
  readonly subject: string
  /** Pico-USD: the most that it can cost by the price list; absent if that isn't known. */
  readonly listed?: bigint
  readonly receiptId: string
}

/** The complete result of a purchase, which is stored on this computer and read from there. */
export interface PurchaseResult {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
  /** Called when the tool has read it all. Absent if nothing was paid. */
  readonly onRead?: () => void
}

export interface PurchaseCall {
  readonly signal: AbortSignal
  /** Called before money may be spent for a new purchase. Its error ends the purchase. */
  readonly onBuying: () => Promise<void>
  /**
   * Called if an earlier purchase is reused. It costs nothing more: the cost is on the first caller's
   * receipt.
   */
  readonly onJoined: () => void
  /** Called before the request is sent. */
  readonly onLeaving: () => void
  /**
   * Called when the wallet has paid this amount including the fee, even if delivery fails. Not called for a
   * reused purchase.
   */
  readonly onPaid: (msat: bigint) => void
}

/** Pays for single requests without an account. core/payments implements it, and create-core.ts passes it in. */
export interface SingleRequests {
  /** @throws {SottoError} wallet/not-connected – there is no wallet to pay from */
  requireWallet(): void
  /**
   * Requests the price without paying. Returns the purchase's ID.
   * @throws {SottoError} payment/… – the demand is refused; service/…
   */
  quote(purchase: PurchaseRequest, call: Pick<PurchaseCall, 'signal' | 'onLeaving'>): Promise<string>
  /**
   * Requests the price, pays within the user's limits without confirmation, and fetches the result. The
   * signal cancels it before the wallet is asked. After that the purchase continues without its caller, and
   * its result is stored.
   * @throws {SottoError} wallet/…, payment/…; with other codes nothing was paid
   */
  buy(purchase: PurchaseRequest, call: PurchaseCall): Promise<PurchaseResult>
  /** @returns undefined if no purchase of this Sotto has this job */
  jobOf(jobId: string): PurchasedJob | undefined | Promise<PurchasedJob | undefined>
}

/** A video job that was paid per request. */
export interface PurchasedJob {
  /** The signed address of its status. */
  readonly statusUrl?: string
  /** The receipt of the request. */
  readonly receiptId?: string
}

import type { Confirm } from '../../shared/confirm.ts'
import type { askReasons } from '../../shared/purchase.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { PaymentTransport, TransportAnswer } from '../gateway/relay/index.ts'
import type { FrozenRequest, PaymentRecord } from '../../shared/payment-record.ts'
import type { DeliveredFiles, PaymentJournal } from '../storage/index.ts'
import type { LightningWallet } from './lightning-wallet.ts'
import type { LimitClock } from './limit-clock.ts'
import type { SpendingLimits } from './spending-limits.ts'

export type AskReason = (typeof askReasons)[number]

/** The description of a request for the confirmation. */
export interface About {
  readonly caller: Caller
  /** A model, or a path after /v1/data. */
  readonly subject: string
  /** Pico-USD, by the price list; absent if unknown. */
  readonly listed?: bigint
  readonly receiptId?: string
}

/** The service's answer to a request without a key and a proof of payment. */
export type Quoted =
  /** The demand may be paid: the record's state is `quoted`. */
  | { readonly kind: 'quoted'; readonly record: PaymentRecord }
  /** The service answered without a demand. There is no record, and the caller reads the body. */
  | TransportAnswer

export interface Spent {
  /** msat of the payments in the last 24 hours, with fees. */
  readonly day: bigint
  /** msat, reserved for payments with an unknown outcome. */
  readonly reserved: bigint
  readonly hosts: readonly { readonly host: string; readonly inDay: bigint; readonly firstPaidAt: number }[]
}

/** Who can agree to a payment: a person, asked for `from` (see Question), or only a tool. */
export type Asks = { readonly asks: 'person'; readonly from: string } | { readonly asks: 'tool' }

/** The reason why automatic payments are paused. */
export interface Pause {
  readonly reason: 'undelivered' | 'wallet'
  /** Unix ms of the pause's automatic end. */
  readonly until?: number
}

/**
 * Pays for single requests and for top-up invoices, from a wallet and within limits, and delivers paid
 * requests. The invariants: a wallet is asked to pay a payment hash once, unless it's certain that nothing
 * was paid; a payment with an uncertain outcome is never called failed; each step is recorded before it
 * happens. After the wallet was asked, the payment doesn't end with its caller: an aborted signal only ends
 * the wait.
 */
export interface Payer extends AsyncDisposable {
  /**
   * Requests the service's price and checks the invoice. Pays nothing.
   * @throws {SottoError} payment/… – the demand must not be paid; service/… – neither a demand nor an answer
   */
  quote(request: FrozenRequest, about: About, signal: AbortSignal): Promise<Quoted>
  /**
   * Pays a quote and delivers the result. `person`: the reasons in asksFor are confirmed outside the window
   * first; `tool`: if there is a reason, it's refused. Resolves when there is a result: the state is
   * `delivered`, `undelivered`, `failed`, `expired`, `held` or `unknown`, or `paid` with a video job in
   * progress. In all states except `delivered` and `paid`, `failure` has the reason. If the signal is aborted
   * after the wallet was asked, it resolves with the record as it is. A second call before the wallet was
   * asked joins the first.
   * @throws {SottoError} payment/in-progress – the wallet was asked already; payment/already-paid; without
   * asking the wallet: payment/…, confirm/…, wallet/not-connected, request/canceled, store/unwritable
   */
  pay(id: string, how: Asks, signal: AbortSignal): Promise<PaymentRecord>
  /**
   * Pays a Lightning top-up invoice for a person (`from`), with the same confirmations, rules and limits as
   * `pay`. The record remains `paid` with its proof until `credited`.
   */
  payInvoice(
    topup: {
      readonly topupId: string
      readonly invoice: string
      readonly expectedMsat?: bigint
      readonly caller: Caller
      readonly from: string
    },
    signal: AbortSignal,
  ): Promise<PaymentRecord>
  /**
   * The service credited this top-up, so its proof is no longer needed. Does nothing if Sotto didn't pay it.
   */
  credited(topupId: string): void
  /**
   * Records a payment by another wallet. Resolves like `pay`.
   * @throws {SottoError} payment/invalid-preimage, payment/unknown
   */
  prove(id: string, preimage: string, signal: AbortSignal): Promise<PaymentRecord>
  /** Discards a quote. @throws {SottoError} payment/in-progress, payment/already-paid, payment/unknown */
  decline(id: string): PaymentRecord
  /**
   * Sends a paid request again with the same proof, without paying. Resolves like `pay`.
   * @throws {SottoError} payment/nothing-delivered – it wasn't paid; payment/abandoned; payment/unknown
   */
  retry(id: string, signal: AbortSignal): Promise<PaymentRecord>
  /** The tool has read its answer. Otherwise the same request gets it again, until the invoice's expiry. */
  claim(id: string): void
  /**
   * Abandons a paid and undelivered request: it's never sent again, and only its description is stored.
   * @throws {SottoError} payment/cannot-close, payment/unknown
   */
  abandon(id: string): PaymentRecord
  /**
   * After a start: looks up the outcomes of payments and delivers paid requests, in the background. Never
   * pays.
   */
  resume(): void
  /** Whether this wallet (NIP-47 key) was asked for a payment whose outcome is unknown. */
  inUse(publicKey: string): boolean
  /**
   * Returns text for a claim: invoice, hash, preimage, times. A secret until it was delivered.
   * @throws {SottoError} payment/unknown
   */
  proof(id: string): string
  /**
   * Waits until the payment is neither being paid nor being delivered. If the signal is aborted or the payer is closed
   * before that, resolves with the record as it is; it continues after the next start.
   * @throws {SottoError} payment/unknown
   */
  settled(id: string, signal?: AbortSignal): Promise<PaymentRecord>
  get(id: string): PaymentRecord | null
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /** Yields each record when it changes, until the signal is aborted. */
  changes(signal: AbortSignal): AsyncIterable<PaymentRecord>
  /** Returns the reasons why paying needs a confirmation outside the window; empty unless it's quoted. */
  asksFor(record: PaymentRecord): readonly AskReason[]
  /**
   * Returns the text of a QR code, in capitals, which take fewer modules. Only while it's quoted, hasn't
   * expired, and no wallet was asked.
   */
  uriOf(record: PaymentRecord): string | undefined
  spent(): Spent
  paused(): Pause | null
  resumeAfterPause(): void
}

export interface PayerOptions {
  readonly journal: PaymentJournal
  /**
   * Called before a wallet is asked to pay.
   * @throws {SottoError} store/rows-changed – another program may have removed payments from the journal
   */
  readonly requireIntact: () => void
  readonly files: DeliveredFiles
  /** Read for each payment; null if none is connected. */
  readonly wallet: () => LightningWallet | null
  readonly transport: PaymentTransport
  readonly service: {
    /** The host (with its port, if it isn't the default) of the profile's base URL. */
    readonly host: string
    readonly lightningNetwork: 'bitcoin' | 'regtest'
    readonly kind: 'sandbox' | 'service'
  }
  readonly limits: () => SpendingLimits
  readonly confirm: Confirm
  /** Unix ms. */
  readonly now: () => number
  /** The clock for the 24 hours of the limits. */
  readonly limitClock: LimitClock
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
  /**
   * The time at which a person last resumed payments after failures (Unix ms, 0 for never), in the settings.
   */
  readonly resumedAt: { read(): number; write(at: number): void }
  /** Pico-USD per satoshi, if it's known: the invoice is then compared with the price list. */
  readonly rate?: () => bigint | undefined
  readonly newId?: () => string
  /** Waits, or rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

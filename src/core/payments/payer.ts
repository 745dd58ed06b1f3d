import type { Confirm } from '../../shared/confirm.ts'
import type { askReasons } from '../../shared/purchase.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { Answer, PaymentTransport } from './payment-transport.ts'
import type { DeliveredFiles, FrozenRequest, PaymentJournal, PaymentRecord } from './journal.ts'
import type { LightningWallet } from './lightning-wallet.ts'
import type { LimitClock } from './limit-clock.ts'
import type { SpendingLimits } from './spending-limits.ts'

export type AskReason = (typeof askReasons)[number]

/** What a request is, for whoever is asked to pay for it. */
export interface About {
  readonly caller: Caller
  /** A model, or a path below /v1/data. */
  readonly subject: string
  /** Pico-USD, by the listing; absent where unknown. */
  readonly listed?: bigint
  readonly receiptId?: string
}

/** What the service said to a request that carried no key and no proof of payment. */
export type Quoted =
  /** It may be paid: the record's state is `quoted`. */
  | { readonly kind: 'quoted'; readonly record: PaymentRecord }
  /** It asked for nothing and answered. There is no record; whoever asked reads the body. */
  | Answer

export interface Spent {
  /** msat in the last 24 hours: paid, with fees. */
  readonly day: bigint
  /** msat, reserved for payments of which nobody knows yet whether they went through. */
  readonly held: bigint
  readonly hosts: readonly { readonly host: string; readonly inDay: bigint; readonly firstPaidAt: number }[]
}

/** Who is there to agree to a payment: a person, asked for `from` (see Question), or nobody. */
export type Asks = { readonly asks: 'person'; readonly from: string } | { readonly asks: 'tool' }

/** Why nothing is paid without being asked. */
export interface Pause {
  readonly reason: 'undelivered' | 'wallet'
  /** Unix ms of when it ends by itself. */
  readonly until?: number
}

/**
 * Pays for single requests and for topup invoices, from a wallet and within limits, and has delivered what was paid for.
 * The invariants: a payment hash is asked of a wallet once, unless it is certain that nothing was paid; what may have been
 * paid is never called failed; whatever comes next was written down before it happens. After the wallet was asked nothing
 * ends with its caller: an aborted signal ends the wait alone.
 */
export interface Payer extends AsyncDisposable {
  /**
   * Asks the service for its price and judges the invoice. Pays nothing.
   * Throws payment/… where the demand must not be paid, service/… for what is neither a demand nor an answer.
   */
  quote(request: FrozenRequest, about: About, signal: AbortSignal): Promise<Quoted>
  /**
   * Pays what was quoted, and has it delivered. `person`: the reasons in asksFor are confirmed outside the window first;
   * `tool`: there are none, or it is refused. Resolves once there is something to say: the state is `delivered`,
   * `undelivered`, `failed`, `expired`, `held` or `unknown`, or `paid` with the job of a video under way; of all but
   * `delivered` and `paid`, `failure` says why. When the signal is aborted after the wallet was asked, it resolves with the
   * record as it is. Called again before the wallet was asked, it joins; after that it throws payment/in-progress, and payment/already-paid once
   * it is paid. Throws where the wallet was not asked: payment/…, confirm/…, wallet/not-connected, request/canceled, store/unwritable.
   */
  pay(id: string, how: Asks, signal: AbortSignal): Promise<PaymentRecord>
  /**
   * Pays a Lightning topup invoice, a person having asked for it by `from`: confirmed by the same reasons, and by the same rules and
   * limits. As pay; it rests in `paid` with its proof, until `credited`.
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
  /** The service counted this topup: its proof is of no more use. Nothing where it was not paid from here. */
  credited(topupId: string): void
  /** Paid by another wallet. Resolves as pay. Throws payment/invalid-preimage, payment/unknown. */
  prove(id: string, preimage: string, signal: AbortSignal): Promise<PaymentRecord>
  /** Discards a quote. Throws payment/in-progress, payment/already-paid, payment/unknown. */
  decline(id: string): PaymentRecord
  /** Sends what was paid once more, with the same proof; nothing is paid. Resolves as pay. Throws payment/nothing-delivered where it was not paid, payment/abandoned, payment/unknown. */
  retry(id: string, signal: AbortSignal): Promise<PaymentRecord>
  /** Of what was paid and not delivered: it is never sent again, and of its request only what it was is kept. Throws payment/cannot-close, payment/unknown. */
  abandon(id: string): PaymentRecord
  /** After a start: asks wallets what became of payments, and delivers what was paid, in the background. Never pays. */
  resume(): void
  /** Whether this wallet (NIP-47 key) was asked for a payment of which nobody knows yet what became. */
  inUse(publicKey: string): boolean
  /** For a claim: invoice, hash, preimage, times, as text. A secret until it was delivered. Throws payment/unknown. */
  proof(id: string): string
  get(id: string): PaymentRecord | null
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /** Each record when it changed, until the signal. */
  changes(signal: AbortSignal): AsyncIterable<PaymentRecord>
  /** Why paying it asks for a yes outside the window; none but while it is quoted. */
  asksFor(record: PaymentRecord): readonly AskReason[]
  /** For a QR code, in capitals, which take fewer modules; only while it is quoted, has not run out and nothing was asked of a wallet. */
  uriOf(record: PaymentRecord): string | undefined
  spent(): Spent
  paused(): Pause | null
  resumeAfterPause(): void
}

export interface PayerOptions {
  readonly journal: PaymentJournal
  /** Throws store/rows-changed while another program may have removed payments from the journal. Called before a wallet is asked to pay. */
  readonly requireIntact: () => void
  readonly files: DeliveredFiles
  /** Asked for anew each time; null: none is connected. */
  readonly wallet: () => LightningWallet | null
  readonly carrier: PaymentTransport
  readonly service: {
    /** Host (with its port, where it is not the default) of the profile's base URL. */
    readonly host: string
    readonly lightningNetwork: 'bitcoin' | 'regtest'
    readonly kind: 'sandbox' | 'service'
  }
  readonly limits: () => SpendingLimits
  readonly confirm: Confirm
  /** Unix ms. */
  readonly now: () => number
  /** What the 24 hours of the limits count by. */
  readonly limitClock: LimitClock
  /** Milliseconds from an arbitrary start; doesn't follow the wall clock. */
  readonly monotonic: () => number
  /** When a person last let it pay again after failures (Unix ms, 0 for never): kept in the settings. */
  readonly resumedAt: { read(): number; write(at: number): void }
  /** Pico-USD for a satoshi, where one is known: the invoice is then held to the listing's price. */
  readonly rate?: () => bigint | undefined
  readonly newId?: () => string
  /** Waits, or rejects with the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { TopupRecord } from './topups.ts'

/** Lightning payments, their deliveries, and top-up invoices. Throws as Store does. */
export interface PaymentStore {
  /** The journal of Lightning payments. core/payments has the rules. */
  readonly payments: {
    /**
     * Returns once the record is durable, also after a power failure. A request without bytes removes
     * stored ones. If it throws, nothing changed.
     */
    put(payment: PaymentRecord): void
    get(id: string): PaymentRecord | null
    /** The oldest first. */
    byPaymentHash(paymentHash: string): readonly PaymentRecord[]
    /** All payments that weren't declined, failed, expired or delivered, the oldest first. */
    open(): readonly PaymentRecord[]
    /** The newest first. */
    list(limit: number): readonly PaymentRecord[]
    /**
     * All amounts reserved since then (Unix ms) that haven't certainly failed. `settled` if the payment is
     * certain.
     */
    reservedSince(at: number): readonly {
      readonly host: string
      readonly amountMsat: bigint
      readonly feeMsat: bigint
      readonly at: number
      readonly settled: boolean
    }[]
    /** A host is added when a payment to it is first recorded as paid. */
    paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
    forgetHost(host: string): void
  }
  /** The files that were delivered for payments, sealed. */
  readonly deliveredFiles: {
    /**
     * Replaces a file, and returns its size in bytes. Throws the errors of the content; nothing is stored
     * then.
     */
    save(paymentId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /** Returns null if the file doesn't exist. */
    read(paymentId: string, index: number): Promise<Uint8Array | null>
    /**
     * Reads piece by piece; null if the file doesn't exist. The last piece is yielded before it's checked
     * that no more follows. Throws store/damaged during the read.
     */
    stream(paymentId: string, index: number): AsyncIterable<Uint8Array> | null
    remove(paymentId: string): Promise<void>
  }
  readonly topups: {
    /** The newest first. */
    list(): TopupRecord[]
    get(id: string): TopupRecord | null
    /** Returns once the record is durable, also after a power failure. */
    put(topup: TopupRecord): void
    remove(id: string): boolean
  }
}

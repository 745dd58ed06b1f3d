import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { TopupRecord } from './topups.ts'

/** What was paid over Lightning, what came of it, and topup invoices. Throws as Store does. */
export interface PaymentStore {
  /** The journal of Lightning payments. core/payments has the rules. */
  readonly payments: {
    /**
     * Returns once the record outlives this process and the machine's power. A request that has no bytes leaves none behind.
     * Where it throws, nothing changed.
     */
    put(payment: PaymentRecord): void
    get(id: string): PaymentRecord | null
    /** The first one first. */
    byPaymentHash(paymentHash: string): readonly PaymentRecord[]
    /** All but what was declined, failed, expired or delivered; the first one first. */
    open(): readonly PaymentRecord[]
    /** The newest first. */
    list(limit: number): readonly PaymentRecord[]
    /** Whatever was reserved since then (Unix ms) and did not certainly fail; `settled` where it is certain that it was paid. */
    reservedSince(at: number): readonly {
      readonly host: string
      readonly amountMsat: bigint
      readonly feeMsat: bigint
      readonly at: number
      readonly settled: boolean
    }[]
    /** A host is added when a payment to it is first put as paid. */
    paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
    forgetHost(host: string): void
  }
  /** What was delivered for payments, sealed in files. */
  readonly deliveredFiles: {
    /** In place of what was there; returns the number of bytes. Throws what the content throws, and then nothing is kept of it. */
    save(paymentId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /** Null where there is none. */
    read(paymentId: string, index: number): Promise<Uint8Array | null>
    /** Piece by piece; null where there is none. The last is passed on before it is known whether more should follow. Throws store/damaged as it is read. */
    stream(paymentId: string, index: number): AsyncIterable<Uint8Array> | null
    remove(paymentId: string): Promise<void>
  }
  readonly topups: {
    /** The newest first. */
    list(): TopupRecord[]
    get(id: string): TopupRecord | null
    /** Returns once it outlives the machine's power. */
    put(topup: TopupRecord): void
    remove(id: string): boolean
  }
}

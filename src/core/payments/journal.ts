import type { FrozenRequest, PaymentRecord } from '../../shared/payment-record.ts'

export type { FrozenRequest, PaymentRecord }

/** Stores payments. Storage implements it; only core/payments decides which records are written, and when. */
export interface PaymentJournal {
  /** Returns once the record outlives this process and this machine's power (fsync). Throws store/unwritable; then nothing changed. */
  put(record: PaymentRecord): void
  get(id: string): PaymentRecord | null
  byPaymentHash(paymentHash: string): readonly PaymentRecord[]
  /** Whatever has not ended: everything but declined, failed, expired and delivered; and what was given up, which holds a proof. The oldest first. */
  open(): readonly PaymentRecord[]
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /** Reserved since this moment (Unix ms), in any state that is not certain to have failed. */
  reservedSince(at: number): readonly {
    readonly host: string
    readonly amountMsat: bigint
    readonly feeMsat: bigint
    readonly at: number
    readonly settled: boolean
  }[]
  /** Hosts that were paid, with when first; kept beyond the records. */
  paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
  forgetHost(host: string): void
}

/** What was delivered, sealed at rest. The store fills it. */
export interface DeliveredFiles {
  /** Returns the bytes that were kept. Throws store/unwritable, and what the body throws; nothing is then kept. */
  save(recordId: string, index: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /** Throws store/damaged; null where there is none. */
  read(recordId: string, index: number): Promise<Uint8Array | null>
  remove(recordId: string): Promise<void>
}

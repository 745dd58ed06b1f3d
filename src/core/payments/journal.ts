import type { FrozenRequest, PaymentRecord } from '../../shared/payment-record.ts'

export type { FrozenRequest, PaymentRecord }

/** Stores payments. Storage implements it; only core/payments decides which records are written, and when. */
export interface PaymentJournal {
  /**
   * Returns when the record is on the disk (fsync), so that it survives a power failure.
   * @throws {SottoError} store/unwritable – then nothing changed
   */
  put(record: PaymentRecord): void
  get(id: string): PaymentRecord | null
  byPaymentHash(paymentHash: string): readonly PaymentRecord[]
  /**
   * Records that haven't ended: all except declined, failed, expired and delivered; and abandoned ones, which
   * contain a proof. The oldest first.
   */
  open(): readonly PaymentRecord[]
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /** Reservations since this time (Unix ms), in any state except one that certainly failed. */
  reservedSince(at: number): readonly {
    readonly host: string
    readonly amountMsat: bigint
    readonly feeMsat: bigint
    readonly at: number
    readonly settled: boolean
  }[]
  /** Hosts that were paid, with the time of the first payment. They outlive the records. */
  paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
  forgetHost(host: string): void
}

/** Delivered files, sealed at rest. The store implements it. */
export interface DeliveredFiles {
  /**
   * Returns the number of saved bytes.
   * @throws {SottoError} store/unwritable, and the errors of the body; then nothing is saved
   */
  save(recordId: string, index: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /** Returns null if there is none. @throws {SottoError} store/damaged */
  read(recordId: string, index: number): Promise<Uint8Array | null>
  remove(recordId: string): Promise<void>
}

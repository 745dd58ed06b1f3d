import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { TopupRecord } from './topups.ts'

/** The journal of Lightning payments. Only core/payments decides which records are written, and when. */
export interface PaymentJournal {
  /**
   * Returns once the record is durable (fsync), so that it survives a power failure, unless the journal has
   * `durable`. Later reads see the record in both cases. A request without bytes removes stored ones.
   * @throws {SottoError} store/unwritable – then nothing changed
   */
  put(record: PaymentRecord): void
  /**
   * Present if `put` only queues the record. Resolves when every record that was put is durable. The payer awaits
   * it before it asks a wallet, sends a proof, or reports a result.
   * @throws {SottoError} – a record couldn't be written; the journal then accepts no further one
   */
  readonly durable?: () => Promise<void>
  get(id: string): PaymentRecord | null
  /** The oldest first. */
  byPaymentHash(paymentHash: string): readonly PaymentRecord[]
  /**
   * Records that haven't ended: all except declined, failed, expired, closed and delivered. Abandoned ones contain
   * a proof. The oldest first.
   */
  open(): readonly PaymentRecord[]
  /** The newest first. */
  list(limit: number): readonly PaymentRecord[]
  /**
   * Reservations since this time (Unix ms), in any state except one that certainly failed. `settled` if the
   * payment is certain.
   */
  reservedSince(at: number): readonly {
    readonly host: string
    readonly amountMsat: bigint
    readonly feeMsat: bigint
    readonly at: number
    readonly settled: boolean
  }[]
  /**
   * Hosts that were paid, with the time of the first payment: a host is added when a payment to it is first
   * recorded as paid. They outlive the records.
   */
  paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
  forgetHost(host: string): void
}

/** The files that were delivered for payments, sealed at rest. */
export interface DeliveredFiles {
  /**
   * Replaces a file, and returns its size in bytes.
   * @throws {SottoError} store/unwritable, and the errors of the content; then nothing is saved
   */
  save(paymentId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Returns null if the file doesn't exist. @throws {SottoError} store/damaged */
  read(paymentId: string, index: number): Promise<Uint8Array | null>
}

/** Lightning payments, their deliveries, and top-up invoices. Throws as Store does. */
export interface PaymentStore {
  readonly payments: PaymentJournal
  readonly deliveredFiles: DeliveredFiles & {
    /** Removes all files of the payment. */
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

import type { PaymentJournal } from '../core/storage/index.ts'
import { hasEndedUnproven, isOpen, isPaid, mayBePaid, type PaymentRecord } from '../shared/payment-record.ts'

interface Entry {
  readonly record: PaymentRecord
  /** The place among all payments, in the order in which they were quoted. */
  readonly seq: number
}

/**
 * All payments of the database in memory, so that the payer's checks are synchronous. Nothing changes between a
 * check and the record of the reservation.
 */
export class PaymentMemory implements Omit<PaymentJournal, 'put' | 'forgetHost' | 'durable'> {
  readonly #entries = new Map<string, Entry>()
  readonly #byHash = new Map<string, Set<string>>()
  readonly #open = new Set<string>()
  readonly #jobs = new Map<string, string>()
  readonly #hosts = new Map<string, number>()
  /** In the order of `list`, the oldest first; null if an entry was added. */
  #ordered: readonly Entry[] | null = []
  #lastSeq = 0

  /** Adds a payment, or replaces it. */
  note(record: PaymentRecord, seq: number): void {
    const { id, paymentHash } = record
    const before = this.#entries.get(id)
    if (before) this.#byHash.get(before.record.paymentHash)?.delete(id)
    this.#entries.set(id, { record, seq })
    this.#lastSeq = Math.max(this.#lastSeq, seq)
    const same = this.#byHash.get(paymentHash) ?? new Set()
    this.#byHash.set(paymentHash, same.add(id))
    if (record.delivered?.job) this.#jobs.set(record.delivered.job.id, id)
    if (isOpen(record.state)) this.#open.add(id)
    else this.#open.delete(id)
    this.#ordered = null
  }

  /** The place of a payment: its own, or the next one. */
  seqOf(id: string): number {
    return this.#entries.get(id)?.seq ?? this.#lastSeq + 1
  }

  /** Whether another payment of this hash was paid or may have been. */
  conflicts(record: PaymentRecord): boolean {
    return (
      mayBePaid(record) &&
      this.byPaymentHash(record.paymentHash).some((other) => other.id !== record.id && mayBePaid(other))
    )
  }

  /** The payment of a video job at the service. */
  findJob(jobId: string): PaymentRecord | undefined {
    const id = this.#jobs.get(jobId)
    return id === undefined ? undefined : this.#entries.get(id)?.record
  }

  noteHost(host: string, firstPaidAt: number): void {
    if (!this.#hosts.has(host)) this.#hosts.set(host, firstPaidAt)
  }

  forgetHost(host: string): void {
    this.#hosts.delete(host)
  }

  clearHosts(): void {
    this.#hosts.clear()
  }

  get(id: string): PaymentRecord | null {
    return this.#entries.get(id)?.record ?? null
  }

  byPaymentHash(paymentHash: string): readonly PaymentRecord[] {
    return this.#inOrder(this.#byHash.get(paymentHash) ?? [])
  }

  open(): readonly PaymentRecord[] {
    return this.#inOrder(this.#open)
  }

  list(limit: number): readonly PaymentRecord[] {
    this.#ordered ??= [...this.#entries.values()].sort((a, b) => a.record.at - b.record.at || a.seq - b.seq)
    return this.#ordered
      .slice(-limit)
      .reverse()
      .map(({ record }) => record)
  }

  reservedSince(at: number): ReturnType<PaymentJournal['reservedSince']> {
    return [...this.#entries.values()]
      .flatMap(({ record: { host, state, amountMsat, feeMsat = 0n, reservedAt } }) =>
        reservedAt === undefined || reservedAt < at || hasEndedUnproven(state)
          ? []
          : [{ host, amountMsat, feeMsat, at: reservedAt, settled: isPaid(state) }],
      )
      .sort((a, b) => a.at - b.at)
  }

  paidHosts(): ReturnType<PaymentJournal['paidHosts']> {
    return [...this.#hosts]
      .map(([host, firstPaidAt]) => ({ host, firstPaidAt }))
      .sort((a, b) => a.firstPaidAt - b.firstPaidAt)
  }

  #inOrder(ids: Iterable<string>): readonly PaymentRecord[] {
    return [...ids]
      .flatMap((id) => this.#entries.get(id) ?? [])
      .sort((a, b) => a.seq - b.seq)
      .map(({ record }) => record)
  }
}

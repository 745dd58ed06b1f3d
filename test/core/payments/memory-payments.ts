import { SottoError } from '../../../src/shared/errors.ts'
import type { PaymentRecord } from '../../../src/shared/payment-record.ts'
import type { DeliveredFiles, PaymentJournal } from '../../../src/core/storage/index.ts'

/** A journal in memory that logs its writes in order. It can be passed to the next payer, as after a kill. */
export class MemoryPayments implements PaymentJournal {
  readonly records = new Map<string, PaymentRecord>()
  readonly hosts = new Map<string, number>()
  /** Each write in its order, with the events of other parts in between. */
  readonly log: string[]
  /** How many of the next writes are refused. */
  refuses = 0
  now = (): number => 0

  constructor(log: string[] = []) {
    this.log = log
  }

  put(record: PaymentRecord): void {
    if (this.refuses > 0) {
      this.refuses--
      throw new SottoError('store/unwritable')
    }
    this.log.push(`put ${record.state}`)
    this.records.set(record.id, structuredClone(record))
    if (
      ['paid', 'delivered', 'undelivered', 'given-up'].includes(record.state) &&
      !this.hosts.has(record.host)
    )
      this.hosts.set(record.host, this.now())
  }
  get(id: string): PaymentRecord | null {
    return structuredClone(this.records.get(id) ?? null)
  }
  byPaymentHash(paymentHash: string): readonly PaymentRecord[] {
    return this.#all().filter((record) => record.paymentHash === paymentHash)
  }
  open(): readonly PaymentRecord[] {
    return this.#all().filter(
      ({ state }) => !['declined', 'failed', 'expired', 'closed', 'delivered'].includes(state),
    )
  }
  list(limit: number): readonly PaymentRecord[] {
    return this.#all().reverse().slice(0, limit)
  }
  reservedSince(at: number): ReturnType<PaymentJournal['reservedSince']> {
    return this.#all().flatMap(({ host, amountMsat, feeMsat = 0n, reservedAt, state }) =>
      reservedAt === undefined ||
      reservedAt < at ||
      ['declined', 'failed', 'expired', 'closed'].includes(state)
        ? []
        : [
            {
              host,
              amountMsat,
              feeMsat,
              at: reservedAt,
              settled: ['paid', 'delivered', 'undelivered', 'given-up'].includes(state),
            },
          ],
    )
  }
  paidHosts(): ReturnType<PaymentJournal['paidHosts']> {
    return [...this.hosts].map(([host, firstPaidAt]) => ({ host, firstPaidAt }))
  }
  forgetHost(host: string): void {
    this.hosts.delete(host)
  }
  #all(): PaymentRecord[] {
    return structuredClone([...this.records.values()])
  }
}

export class MemoryFiles implements DeliveredFiles {
  readonly saved = new Map<string, Buffer>()
  refuses = 0

  async save(recordId: string, index: number, body: AsyncIterable<Uint8Array>): Promise<number> {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    if (this.refuses > 0) {
      this.refuses--
      throw new SottoError('store/unwritable')
    }
    const bytes = Buffer.concat(pieces)
    this.saved.set(`${recordId}/${String(index)}`, bytes)
    return bytes.length
  }
  read(recordId: string, index: number): Promise<Uint8Array | null> {
    return Promise.resolve(this.saved.get(`${recordId}/${String(index)}`) ?? null)
  }
}

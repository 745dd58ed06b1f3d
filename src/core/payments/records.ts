import { SottoError } from '../../shared/errors.ts'
import type { PaymentJournal, PaymentRecord } from './journal.ts'
import { nextRecord, type PaymentEvent } from './payment-state.ts'

/** The journal with the rules of what a record can become, and those who wait for it to change. */
export class Records {
  readonly journal: PaymentJournal
  readonly #listeners = new Set<(record: PaymentRecord) => void>()

  constructor(journal: PaymentJournal) {
    this.journal = journal
  }

  /** Throws payment/unknown. */
  of(id: string): PaymentRecord {
    const record = this.journal.get(id)
    if (!record) throw new SottoError('payment/unknown')
    return record
  }

  /** Written before it returns. Throws store/unwritable; then nothing changed. */
  add(record: PaymentRecord): PaymentRecord {
    this.journal.put(record)
    this.#tell(record)
    return record
  }

  /** What the event makes of the record, written before it returns. Throws store/unwritable, payment/unknown; then nothing changed. */
  apply(id: string, event: PaymentEvent): PaymentRecord {
    const record = this.of(id)
    const next = nextRecord(record, event)
    return next === record ? record : this.add(next)
  }

  /** The record once it is so, or as it is when the signal is aborted. */
  async until(
    id: string,
    so: (record: PaymentRecord) => boolean,
    signal: AbortSignal,
  ): Promise<PaymentRecord> {
    if (so(this.of(id)) || signal.aborted) return this.of(id)
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        this.#listeners.delete(listener)
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const listener = (record: PaymentRecord): void => {
        if (record.id === id && so(record)) finish()
      }
      this.#listeners.add(listener)
      signal.addEventListener('abort', finish, { once: true })
    })
    return this.of(id)
  }

  /** From now on, each record as it last changed; a reader that is slow misses what was changed again meanwhile. */
  changes(signal: AbortSignal): AsyncGenerator<PaymentRecord, void> {
    const waiting = new Map<string, PaymentRecord>()
    let wake: (() => void) | undefined
    const listener = (record: PaymentRecord): void => {
      waiting.delete(record.id)
      waiting.set(record.id, record)
      wake?.()
    }
    const stop = (): void => {
      this.#listeners.delete(listener)
      wake?.()
    }
    async function* read(): AsyncGenerator<PaymentRecord, void> {
      try {
        while (!signal.aborted) {
          const [next] = waiting.values()
          if (next) {
            waiting.delete(next.id)
            yield next
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    }
    if (!signal.aborted) {
      this.#listeners.add(listener)
      signal.addEventListener('abort', stop)
    }
    return read()
  }

  #tell(record: PaymentRecord): void {
    for (const listener of [...this.#listeners]) listener(record)
  }
}

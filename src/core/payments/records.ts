import { SottoError } from '../../shared/errors.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { PaymentJournal } from '../storage/index.ts'
import { nextRecord, type PaymentEvent } from './payment-state.ts'

/** The journal with the rules for changes of records, and the listeners for those changes. */
export class Records {
  readonly journal: PaymentJournal
  readonly #listeners = new Set<(record: PaymentRecord) => void>()

  constructor(journal: PaymentJournal) {
    this.journal = journal
  }

  /** @throws {SottoError} payment/unknown */
  of(id: string): PaymentRecord {
    const record = this.journal.get(id)
    if (!record) throw new SottoError('payment/unknown')
    return record
  }

  /** Writes the record before it returns, or queues it until `durable`. @throws {SottoError} store/unwritable – then nothing changed */
  add(record: PaymentRecord): PaymentRecord {
    this.journal.put(record)
    this.#tell(record)
    return record
  }

  /**
   * Applies the event to the record, and writes it before it returns.
   * @throws {SottoError} store/unwritable, payment/unknown – then nothing changed
   */
  apply(id: string, event: PaymentEvent): PaymentRecord {
    const record = this.of(id)
    const next = nextRecord(record, event)
    return next === record ? record : this.add(next)
  }

  /** Resolves when all records are durable. Returns undefined if they are already. See PaymentJournal. */
  durable(): Promise<void> | undefined {
    return this.journal.durable?.()
  }

  /**
   * Resolves with the record when the condition holds, or with the current record when the signal is aborted.
   */
  async until(
    id: string,
    so: (record: PaymentRecord) => boolean,
    signal: AbortSignal,
  ): Promise<PaymentRecord> {
    // Another event may have changed the record again before this continues.
    while (!so(this.of(id)) && !signal.aborted)
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

  /** Yields the latest state of each changed record from now on. A slow reader misses states in between. */
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

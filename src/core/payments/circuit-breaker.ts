import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { PaymentJournal } from '../storage/index.ts'
import type { Pause } from './payer.ts'

const MOST_UNDELIVERED = 3
const MOST_WALLET_ERRORS = 5
const WINDOW_MS = 10 * 60_000
/** The number of recent records that are read after a start, to find earlier failures. */
const LOOK_BACK = 200

/**
 * Stops automatic payments if money is spent and nothing is delivered. After three undelivered payments since
 * a person last resumed it, it stops until a person resumes it. After five errors of the wallet within ten
 * minutes, it stops until those have passed. It reads the journal, so that a restart changes nothing, and the
 * wallet's errors since.
 */
export class CircuitBreaker {
  readonly #journal: PaymentJournal
  readonly #now: () => number
  readonly #resumedAt: { read(): number; write(at: number): void }
  /** Unix ms. */
  #walletErrors: number[] = []
  #lookedBack = false
  /**
   * IDs of payments that were undelivered when a person last resumed it. Their times aren't reliable if the
   * clock was corrected since.
   */
  #dismissed: ReadonlySet<string> = new Set()

  constructor(
    journal: PaymentJournal,
    now: () => number,
    resumedAt: { read(): number; write(at: number): void },
  ) {
    this.#journal = journal
    this.#now = now
    this.#resumedAt = resumedAt
  }

  /** The wallet refused, failed, or didn't answer. */
  noteWalletError(): void {
    this.#walletErrors.push(this.#now())
  }

  /** Returns null while payments are permitted. */
  paused(): Pause | null {
    this.#lookBack()
    const storedTime = this.#resumedAt.read()
    // A time in the future was noted by a clock that was ahead, so the order of events is unknown.
    const resumedAt = storedTime > this.#now() ? 0 : storedTime
    if (
      this.#undelivered().filter(({ id, paidAt = 0 }) => paidAt > resumedAt && !this.#dismissed.has(id))
        .length >= MOST_UNDELIVERED
    )
      return { reason: 'undelivered' }
    const since = this.#now() - WINDOW_MS
    this.#walletErrors = this.#walletErrors.filter((at) => at > since)
    const errors = this.#walletErrors.filter((at) => at > resumedAt)
    const counted = errors.at(-MOST_WALLET_ERRORS)
    return counted === undefined ? null : { reason: 'wallet', until: counted + WINDOW_MS }
  }

  resume(): void {
    this.#dismissed = new Set(this.#undelivered().map(({ id }) => id))
    this.#resumedAt.write(this.#now())
    this.#walletErrors = []
  }

  #undelivered(): readonly PaymentRecord[] {
    return this.#journal.open().filter(isUndelivered)
  }

  /**
   * Reads the journal at the first use, before a payment. An unreadable journal therefore blocks only
   * payments.
   */
  #lookBack(): void {
    if (this.#lookedBack) return
    // A clock that was ahead may have noted a time in the future. The error then counts as one of now, so
    // that it expires.
    const now = this.#now()
    const before = this.#journal
      .list(LOOK_BACK)
      .flatMap((record) =>
        walletErred(record) && record.reservedAt !== undefined ? [Math.min(record.reservedAt, now)] : [],
      )
    this.#walletErrors = [...before, ...this.#walletErrors].sort((a, b) => a - b)
    this.#lookedBack = true
  }
}

/** Abandoning a payment doesn't change that the service failed to deliver. */
export function isUndelivered({ state }: Pick<PaymentRecord, 'state'>): boolean {
  return state === 'undelivered' || state === 'given-up'
}

function walletErred({ state, failure, wallet }: PaymentRecord): boolean {
  return (
    wallet !== undefined &&
    (state === 'unknown' || (state === 'failed' && failure?.code.startsWith('wallet/') === true))
  )
}

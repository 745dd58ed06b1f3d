import type { PaymentJournal, PaymentRecord } from './journal.ts'
import type { Pause } from './payer.ts'

const MOST_UNDELIVERED = 3
const MOST_WALLET_ERRORS = 5
const WINDOW_MS = 10 * 60_000
/** As many of the last records tell after a start what went wrong before it. */
const LOOK_BACK = 200

/**
 * Stops paying by itself where money goes out and nothing comes in: after three payments that were not delivered since it was last resumed,
 * until a person resumes it, and after five of the wallet's errors within ten minutes, until those have passed. Read from the journal, so that
 * a new start changes nothing, and from what the wallet did since.
 */
export class CircuitBreaker {
  readonly #journal: PaymentJournal
  readonly #now: () => number
  readonly #resumedAt: { read(): number; write(at: number): void }
  /** Unix ms. */
  #walletErrors: number[] = []
  #lookedBack = false

  constructor(journal: PaymentJournal, now: () => number, resumedAt: { read(): number; write(at: number): void }) {
    this.#journal = journal
    this.#now = now
    this.#resumedAt = resumedAt
  }

  /** The wallet refused, failed, or did not say. */
  noteWalletError(): void {
    this.#walletErrors.push(this.#now())
  }

  /** Null: it pays. */
  paused(): Pause | null {
    this.#lookBack()
    const resumedAt = this.#resumedAt.read()
    // To give one up changes nothing about what the service did.
    const undelivered = this.#journal.open().filter(({ state, paidAt = 0 }) => (state === 'undelivered' || state === 'given-up') && paidAt > resumedAt)
    if (undelivered.length >= MOST_UNDELIVERED) return { reason: 'undelivered' }
    const since = this.#now() - WINDOW_MS
    this.#walletErrors = this.#walletErrors.filter((at) => at > since)
    const errors = this.#walletErrors.filter((at) => at > resumedAt)
    const counted = errors.at(-MOST_WALLET_ERRORS)
    return counted === undefined ? null : { reason: 'wallet', until: counted + WINDOW_MS }
  }

  resume(): void {
    this.#resumedAt.write(this.#now())
    this.#walletErrors = []
  }

  /** When it is first asked, which is before anything is paid: a journal that cannot be read keeps nothing but payments shut. */
  #lookBack(): void {
    if (this.#lookedBack) return
    const before = this.#journal.list(LOOK_BACK).flatMap((record) => (walletErred(record) && record.reservedAt !== undefined ? [record.reservedAt] : []))
    this.#walletErrors = [...before, ...this.#walletErrors].sort((a, b) => a - b)
    this.#lookedBack = true
  }
}

function walletErred({ state, failure, wallet }: PaymentRecord): boolean {
  return wallet !== undefined && (state === 'unknown' || (state === 'failed' && failure?.code.startsWith('wallet/') === true))
}

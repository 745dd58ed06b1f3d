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
  /** Ids of what was not delivered before it was let go on: where the clock is set right meanwhile, times do not tell it. */
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

  /** The wallet refused, failed, or did not say. */
  noteWalletError(): void {
    this.#walletErrors.push(this.#now())
  }

  /** Null: it pays. */
  paused(): Pause | null {
    this.#lookBack()
    const kept = this.#resumedAt.read()
    // A time that has not come yet was noted by a clock that was ahead: nobody knows what it came after.
    const resumedAt = kept > this.#now() ? 0 : kept
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

  /** To give one up changes nothing about what the service did. */
  #undelivered(): readonly PaymentRecord[] {
    return this.#journal.open().filter(({ state }) => state === 'undelivered' || state === 'given-up')
  }

  /** When it is first asked, which is before anything is paid: a journal that cannot be read keeps nothing but payments shut. */
  #lookBack(): void {
    if (this.#lookedBack) return
    // A clock that was ahead noted a later time than now: the error counts as one of this moment, and not until that time.
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

function walletErred({ state, failure, wallet }: PaymentRecord): boolean {
  return (
    wallet !== undefined &&
    (state === 'unknown' || (state === 'failed' && failure?.code.startsWith('wallet/') === true))
  )
}

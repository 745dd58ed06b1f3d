import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'

const MINUTE_MS = 60_000
/**
 * The number of payments without a confirmation within a minute. It limits how fast a faulty tool can spend.
 */
const MOST_A_MINUTE = 30

/**
 * Counts payments within a minute of the monotonic clock, because the clock for limits can stop, and its
 * minute would then not end.
 */
export class PaymentRate {
  readonly #monotonic: () => number
  readonly #countBeforeStart: () => number
  readonly #startedAt: number
  #begun: readonly number[] = []

  /**
   * @param countBeforeStart counts the payments of the last minute in the journal. It's used in the first
   * minute of a process, because an earlier process may have paid
   */
  constructor(monotonic: () => number, countBeforeStart: () => number) {
    this.#monotonic = monotonic
    this.#countBeforeStart = countBeforeStart
    this.#startedAt = monotonic()
  }

  /** @throws {SottoError} payment/over-limit – 30 payments began within the last minute */
  requireCapacity(): void {
    const now = this.#monotonic()
    this.#begun = this.#begun.filter((at) => at >= now - MINUTE_MS)
    const count =
      now - this.#startedAt < MINUTE_MS
        ? Math.max(this.#begun.length, this.#countBeforeStart())
        : this.#begun.length
    if (count >= MOST_A_MINUTE)
      throw new SottoError('payment/over-limit', {
        detail: msg('{count, plural, one {# payment was} other {# payments were}} made within one minute.', {
          count: MOST_A_MINUTE,
        }),
      })
  }

  note(): void {
    this.#begun = [...this.#begun.slice(1 - MOST_A_MINUTE), this.#monotonic()]
  }
}

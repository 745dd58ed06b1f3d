import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'

const MINUTE_MS = 60_000
/** So many payments without a question to the person, within a minute: a faulty tool spends no faster. */
const MOST_A_MINUTE = 30

/**
 * Counts payments within a minute of the monotonic clock, because the clock of limits can stop, and a minute of it would
 * not end then.
 */
export class PaymentRate {
  readonly #monotonic: () => number
  readonly #countBeforeStart: () => number
  readonly #startedAt: number
  #begun: readonly number[] = []

  /** @param countBeforeStart payments of the last minute in the journal. The first minute of a process asks it, because an earlier process may have paid */
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

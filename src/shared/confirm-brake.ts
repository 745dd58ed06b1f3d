import { SottoError } from './errors.ts'
import { msg } from './localized-text.ts'

const HOUR_MS = 3_600_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15 * 60_000

/** Unconfirmed questions that one asker may put to the person within an hour. */
const MAX_QUESTIONS_PER_HOUR = 5

/**
 * Limits how often a person can be asked, and how often an answer can be guessed. It counts per asker, so that a hostile window cannot
 * lock out the command line, and for the life of the process, so that a new question does not bring new guesses.
 */
export class ConfirmBrake {
  readonly #now: () => number
  readonly #unconfirmed = new Map<string, readonly { readonly at: number }[]>()
  readonly #refusals = new Map<string, { readonly count: number; readonly waitUntil: number }>()

  /** @param now ms of a clock that never steps back */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts a question, before it is shown.
   * @returns takes the question off the count, to be called once the person has confirmed it
   * @throws {SottoError} confirm/too-many – MAX_QUESTIONS_PER_HOUR of this asker's are unconfirmed
   */
  countQuestion(from: string): () => void {
    const question = { at: this.#now() }
    const recent = this.#recent(from)
    const [oldest] = recent
    if (oldest && recent.length >= MAX_QUESTIONS_PER_HOUR) {
      const retryAfterSeconds = toSeconds(oldest.at + HOUR_MS - question.at)
      throw new SottoError('confirm/too-many', {
        retryAfterSeconds,
        detail: msg('You can try again in {minutes, plural, one {# minute} other {# minutes}}.', {
          minutes: Math.ceil(retryAfterSeconds / 60),
        }),
      })
    }
    this.#unconfirmed.set(from, [...recent, question])
    return () =>
      void this.#unconfirmed.set(
        from,
        this.#recent(from).filter((each) => each !== question),
      )
  }

  /**
   * Must be called before an answer is looked at. An early answer is not compared, so it does not extend the wait.
   * @throws {SottoError} confirm/too-soon – the wait after this caller's last wrong answer is not over
   */
  requireNoWait(from: string): void {
    const waitMs = (this.#refusals.get(from)?.waitUntil ?? 0) - this.#now()
    if (waitMs <= 0) return
    throw new SottoError('confirm/too-soon', { retryAfterSeconds: toSeconds(waitMs) })
  }

  /** @returns seconds until this caller's next answer is looked at: 1, doubling with each wrong answer up to 15 minutes */
  noteWrong(from: string): number {
    const count = (this.#refusals.get(from)?.count ?? 0) + 1
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS)
    this.#refusals.set(from, { count, waitUntil: this.#now() + waitMs })
    return toSeconds(waitMs)
  }

  /** Forgets this caller's wrong answers. */
  noteRight(from: string): void {
    this.#refusals.delete(from)
  }

  #recent(from: string): readonly { readonly at: number }[] {
    const since = this.#now() - HOUR_MS
    return (this.#unconfirmed.get(from) ?? []).filter(({ at }) => at > since)
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

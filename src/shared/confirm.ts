import { msg, type LocalizedText } from './localized-text.ts'

/** The asker of a question that no caller waits for: an address beyond loopback at start, a row of a batch. */
export const CORE = 'core'

/** One question to the person outside the window. It is fixed when it is asked, and so is what it confirms. */
export interface Question {
  readonly says: LocalizedText
  /** Who asks: a caller of the API, or CORE. Questions and wrong codes are counted per asker. */
  readonly from: string
}

/** What became of a code. `retryAfterSeconds` is there after a wrong code: no code is compared before that time. */
export interface CodeResult {
  readonly accepted: boolean
  readonly retryAfterSeconds?: number
}

/** Asks the person outside the window: a native dialog, or a code in the terminal that runs Sotto. */
export interface Confirm {
  /**
   * Asks one question.
   * @param signal ends the question when its caller no longer waits
   * @returns whether the person agreed; false if nobody answered in time, another question took its place, or the caller gave up
   * @throws {SottoError} confirm/too-many – the asker has too many unconfirmed questions within an hour; confirm/too-soon – the asker's last
   * question was refused a moment ago; confirm/no-terminal – there is no terminal that could show the code
   */
  ask(question: Question, signal?: AbortSignal): Promise<boolean>
  /** The open question that this caller can answer with a code: its own, or one of CORE. Null if there is none, or if a dialog asks. */
  pending(from: string): { readonly id: string; readonly says: LocalizedText } | null
  /**
   * Compares a code with that of an open question.
   * @throws {SottoError} confirm/too-soon – this caller entered a wrong code a moment ago; the code was not compared
   */
  answer(from: string, id: string, code: string): CodeResult
}

/** @param seconds until a code, or an answer, is accepted again */
export function tryAgainIn(seconds: number): LocalizedText {
  return msg('You can try again in {seconds, plural, one {# second} other {# seconds}}.', { seconds })
}

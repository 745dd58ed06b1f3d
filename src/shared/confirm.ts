import { msg, type LocalizedText } from './localized-text.ts'

/** The asker of a question that no caller waits for: an address beyond loopback at start, a row of a batch. */
export const CORE = 'core'

/**
 * One question to the person outside the window. Neither the question nor the action can change after it's
 * asked.
 */
export interface Question {
  readonly says: LocalizedText
  /** Who asks: a caller of the API, or CORE. Questions and wrong codes are counted per asker. */
  readonly from: string
}

/**
 * The result of entering a code. After a wrong code, `retryAfterSeconds` is the time until the next code is
 * compared.
 */
export interface CodeResult {
  readonly accepted: boolean
  readonly retryAfterSeconds?: number
}

/** Asks the person outside the window: a native dialog, or a code in the terminal that runs Sotto. */
export interface Confirm {
  /**
   * Asks one question.
   * @param signal cancels the question when its caller no longer waits
   * @returns whether the person agreed; false after a timeout, or if another question replaced it or the
   * caller canceled it
   * @throws {SottoError} confirm/too-many – the asker has too many unconfirmed questions within an hour;
   * confirm/too-soon – the asker's last question was refused a moment ago; confirm/no-terminal – there is
   * no terminal that could show the code
   */
  ask(question: Question, signal?: AbortSignal): Promise<boolean>
  /**
   * The open question that this caller can answer with a code: its own, or one of CORE. Null if there is
   * none, or if it's shown in a dialog.
   */
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

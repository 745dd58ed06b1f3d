import type { Said } from './say.ts'
/** One question put to the person outside the window: a native dialog, or a code in the terminal that runs Sotto. */
export interface Confirm {
  /**
   * Resolves when it is answered; false also where nobody could be asked, the question was left too long, or whoever
   * caused it gave up.
   */
  ask(question: { readonly says: Said }, givenUp?: AbortSignal): Promise<boolean>
  /** The question that waits for its code to be typed in the window; null where none does, or a dialog asks. */
  pending(): { readonly id: string; readonly says: Said } | null
  answer(id: string, code: string): boolean
}

/**
 * Whether the answer to a call may be older than the shown state. Followed events arrive in order. An answer takes a
 * separate path, so later events may arrive before it.
 */
export function mayBeOlder(
  answer: { readonly id: string },
  shown: readonly { readonly id: string }[] | undefined,
  following: boolean,
): boolean {
  return following && shown?.some(({ id }) => id === answer.id) === true
}

/**
 * Decides which of several answers about one thing is shown. The answer to an earlier question is discarded after a
 * later answer.
 */
export class AnswerOrder {
  #asked = 0
  #shown = 0

  /** The turn of a new question. */
  ask(): number {
    return ++this.#asked
  }

  /**
   * Whether to show the answer to this question. If so, it counts as shown. Without a turn, the answer counts as
   * current.
   */
  show(turn = this.ask()): boolean {
    if (this.isLate(turn)) return false
    this.#shown = turn
    return true
  }

  isLate(turn: number): boolean {
    return turn < this.#shown
  }
}

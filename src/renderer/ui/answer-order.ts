/**
 * Whether what a call answered may be older than what is shown. What is followed is told in the order in which it happened; an answer
 * comes by a way of its own, and what happened since may have been told before it arrives.
 */
export function mayBeOlder(
  answer: { readonly id: string },
  shown: readonly { readonly id: string }[] | undefined,
  following: boolean,
): boolean {
  return following && shown?.some(({ id }) => id === answer.id) === true
}

/** Of questions about one thing, which answer is shown: one that was asked before it is answered too late. */
export class AnswerOrder {
  #asked = 0
  #shown = 0

  /** The turn of a question that is asked now. */
  ask(): number {
    return ++this.#asked
  }

  /** Whether the answer to this question is to be shown, which it is from then on. Without a turn: what is known as of now. */
  show(turn = this.ask()): boolean {
    if (this.isLate(turn)) return false
    this.#shown = turn
    return true
  }

  isLate(turn: number): boolean {
    return turn < this.#shown
  }
}

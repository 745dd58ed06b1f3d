/**
 * Whether what a call answered may be older than what is shown. What is followed is told in the order in which it happened; an answer
 * comes by a way of its own, and what happened since may have been told before it arrives.
 */
export function mayBeOlder(answer: { readonly id: string }, shown: readonly { readonly id: string }[] | undefined, following: boolean): boolean {
  return following && shown?.some(({ id }) => id === answer.id) === true
}

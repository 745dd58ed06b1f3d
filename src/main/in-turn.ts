/** Does one work after the other, in the order in which they are handed over, also behind one that failed. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = before.then(work)
    before = done.catch(() => undefined)
    return done
  }
}

/** Milliseconds for which indexing blocks the process at a time. */
const SLICE_MS = 8

/**
 * Lets other work run between the parts of a long one.
 *
 * @returns a function to await between two short parts; it waits only if the slice is used up
 */
export function createTimeSlices(): () => Promise<void> | undefined {
  let until = performance.now() + SLICE_MS
  return () => {
    if (performance.now() < until) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        until = performance.now() + SLICE_MS
        resolve()
      })
    })
  }
}

/** Whether a list that is processed without a pause should be cut here. @param since of `performance.now()` */
export function isSliceUsed(since: number): boolean {
  return performance.now() - since >= SLICE_MS
}

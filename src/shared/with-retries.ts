/** Delays (ms) between six attempts, for failures that are usually short. */
export const RETRY_DELAYS_MS = [500, 1000, 2000, 5000, 10_000]

export interface RetryOptions {
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends the wait, and so the retries. */
  readonly closed: AbortSignal
  /** Whether the error may be temporary. Without this function, all errors may be. */
  readonly mayPass?: (thrown: unknown) => boolean
}

/**
 * Repeats the work after each of these delays (ms), until it succeeds. Throws the last error, and the error
 * of `wait` if `closed` is aborted.
 */
export async function withRetries<T>(
  work: () => T | Promise<T>,
  delaysMs: readonly number[],
  { wait, closed, mayPass = () => true }: RetryOptions,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (thrown) {
      const delay = delaysMs[tries]
      if (delay === undefined || !mayPass(thrown)) throw thrown
      await wait(delay, closed)
    }
  }
}

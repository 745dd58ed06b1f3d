export interface RetryOptions {
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends the waiting, and so the retries. */
  readonly closed: AbortSignal
  /** Whether what was thrown may pass; all of it, where this is not said. */
  readonly mayPass?: (thrown: unknown) => boolean
}

/**
 * Does the work again after each of these delays (ms), until it is done. Throws what it throws last, and what `wait` throws where
 * `closed` is aborted.
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

import type { SottoError } from '../../shared/errors.ts'

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

/** Used if the service is rate limiting and doesn't report how long. */
const WAITS_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000]
const LONGEST_WAIT_MS = 5 * 60_000
/** During a long wait, callers check after each slice whether the job is over. */
export const SLICE_MS = 1000

/**
 * How long to wait (ms) after service/rate-limited: the time that the service reports, up to five minutes,
 * and otherwise longer each time. Undefined after too many waits.
 *
 * @param tries waits since the last success
 */
export function rateLimitWait(
  { details: { retryAfterSeconds } }: SottoError,
  tries: number,
): number | undefined {
  if (tries >= WAITS_MS.length * 2) return undefined
  return retryAfterSeconds === undefined
    ? WAITS_MS[tries]
    : Math.min(retryAfterSeconds * 1000, LONGEST_WAIT_MS)
}

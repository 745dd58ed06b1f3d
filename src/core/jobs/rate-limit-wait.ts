import type { SottoError } from '../../shared/errors.ts'

/** When the service takes no more for now, and does not say how long. */
const WAITS_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000]
const LONGEST_WAIT_MS = 5 * 60_000
/** While it is waited for so long, whether the job is over is looked at in between, after each of these. */
export const SLICE_MS = 1000

/**
 * How long to wait (ms) after service/rate-limited: as the service says, up to five minutes, and else longer each time. undefined where it
 * was waited for often enough. `tries`: how often it was already, since something was answered.
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

import type { ErrorCode } from '../../shared/error-codes.ts'
import type { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** The stored reason why a job or a row failed, or why a batch pauses. */
export interface Failure {
  readonly code: ErrorCode
  readonly detail?: LocalizedText
}

/** The code and the detail of an error, without its cause. */
export function failureOf({ code, details: { detail } }: SottoError): Failure {
  return { code, ...(detail !== undefined && { detail }) }
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

import { SottoError } from '../../../shared/errors.ts'
import type { KeyGrant, KeyLimits } from '../../../shared/key-limits.ts'

const MINUTE_MS = 60_000

/**
 * Requires that the key hasn't expired.
 * @param now Unix ms, of the clock for limits
 * @throws {SottoError} auth/expired-api-key
 */
export function requireLive({ expiresAt }: KeyLimits, now: number): void {
  if (expiresAt !== undefined && now >= expiresAt) throw new SottoError('auth/expired-api-key')
}

/** @throws {SottoError} auth/insufficient-scope */
export function requireGrant({ grants }: KeyLimits, grant: KeyGrant): void {
  if (grants?.includes(grant) !== true)
    throw new SottoError('auth/insufficient-scope', { toolDetail: `The permission is "${grant}".` })
}

/**
 * Limits the request rate of each key: a token bucket with one minute's requests, which refills evenly by the
 * monotonic clock.
 */
export class RequestRate {
  readonly #monotonic: () => number
  readonly #buckets = new Map<string, RequestBucket>()

  /** @param monotonic ms from an arbitrary start; independent of the wall clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** @throws {SottoError} limit/requests – with the time to wait */
  take(keyId: string, { requestsPerMinute }: KeyLimits): void {
    if (requestsPerMinute === undefined) return
    const { bucket, refusal } = takeRequest(this.#buckets.get(keyId), requestsPerMinute, this.#monotonic())
    this.#buckets.set(keyId, bucket)
    if (refusal) throw refusal
  }
}

/** The remaining requests of a minute, and the time in ms at which they were counted. */
export interface RequestBucket {
  readonly left: number
  readonly at: number
}

/**
 * Takes one request from a bucket.
 * @param bucket undefined before the first request: the bucket is full
 * @param now ms of the clock that `bucket.at` is from
 * @returns the bucket afterwards, and `limit/requests` with the time to wait if it has no request left
 */
export function takeRequest(
  bucket: RequestBucket | undefined,
  requestsPerMinute: number,
  now: number,
): { readonly bucket: RequestBucket; readonly refusal?: SottoError } {
  const { left: before, at } = bucket ?? { left: requestsPerMinute, at: now }
  const filled = before + (Math.max(0, now - at) / MINUTE_MS) * requestsPerMinute
  const left = Math.min(requestsPerMinute, filled)
  if (left >= 1) return { bucket: { left: left - 1, at: now } }
  const retryAfterSeconds = Math.max(1, Math.ceil(((1 - left) / requestsPerMinute) * 60))
  return { bucket: { left, at: now }, refusal: new SottoError('limit/requests', { retryAfterSeconds }) }
}

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
  readonly #buckets = new Map<string, { left: number; at: number }>()

  /** @param monotonic ms from an arbitrary start; independent of the wall clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** @throws {SottoError} limit/requests – with the time to wait */
  take(keyId: string, { requestsPerMinute }: KeyLimits): void {
    if (requestsPerMinute === undefined) return
    const now = this.#monotonic()
    const bucket = this.#buckets.get(keyId) ?? { left: requestsPerMinute, at: now }
    const filled = bucket.left + (Math.max(0, now - bucket.at) / MINUTE_MS) * requestsPerMinute
    const left = Math.min(requestsPerMinute, filled)
    const allowed = left >= 1
    this.#buckets.set(keyId, { left: allowed ? left - 1 : left, at: now })
    if (!allowed)
      throw new SottoError('limit/requests', {
        retryAfterSeconds: Math.max(1, Math.ceil(((1 - left) / requestsPerMinute) * 60)),
      })
  }
}

import { SottoError } from '../../../shared/errors.ts'
import type { KeyGrant, KeyLimits } from '../../../shared/key-limits.ts'

const MINUTE_MS = 60_000

/** Throws auth/expired-api-key from the moment of its end on. @param now Unix ms, of the clock that limits count by */
export function requireLive({ expiresAt }: KeyLimits, now: number): void {
  if (expiresAt !== undefined && now >= expiresAt) throw new SottoError('auth/expired-api-key')
}

/** Throws auth/insufficient-scope. */
export function requireGrant({ grants }: KeyLimits, grant: KeyGrant): void {
  if (grants?.includes(grant) !== true)
    throw new SottoError('auth/insufficient-scope', { toolDetail: `The permission is "${grant}".` })
}

/** Counts requests of each key: a bucket of one minute's worth, which fills again evenly by the monotonic clock. */
export class RequestRate {
  readonly #monotonic: () => number
  readonly #buckets = new Map<string, { left: number; at: number }>()

  /** @param monotonic milliseconds from an arbitrary start; doesn't follow the wall clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Throws limit/requests, and says how long to wait. */
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

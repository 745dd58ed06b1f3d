import { SottoError } from '../../shared/errors.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'
import { isPrivateModel } from '../../shared/privacy.ts'

const MINUTE_MS = 60_000

/** Throws proxy/key-expired. */
export function requireLive({ expiresAt }: KeyLimits, now: number): void {
  if (expiresAt !== undefined && now >= expiresAt) throw new SottoError('proxy/key-expired')
}

/** Whether a key may use this model; what is refused by its spelling is refused before it is looked up. */
export function allowsModel({ privateOnly = false, models }: KeyLimits, id: string): boolean {
  return !(privateOnly && !isPrivateModel(id)) && (models?.some((pattern) => matches(pattern, id)) ?? true)
}

/** Throws proxy/key-private-only, proxy/key-model. */
export function requireModel(limits: KeyLimits, id: string): void {
  if (allowsModel(limits, id)) return
  throw new SottoError(limits.privateOnly === true && !isPrivateModel(id) ? 'proxy/key-private-only' : 'proxy/key-model', { param: 'model' })
}

/** `*` stands for any text, an empty one too; everything else for itself. Each part is looked for from where the last one ended. */
function matches(pattern: string, id: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return pattern === id
  if (id.length < start.length + end.length || !id.startsWith(start) || !id.endsWith(end)) return false
  let at = start.length
  for (const part of others) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= id.length - end.length
}

/** Counts requests of each key: a bucket of one minute's worth, which fills again evenly. A clock that steps back fills nothing. */
export class RequestRate {
  readonly #now: () => number
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Throws proxy/key-rate, and says how long to wait. */
  take(keyId: string, { requestsPerMinute }: KeyLimits): void {
    if (requestsPerMinute === undefined) return
    const now = this.#now()
    const bucket = this.#buckets.get(keyId) ?? { left: requestsPerMinute, at: now }
    const filled = bucket.left + (Math.max(0, now - bucket.at) / MINUTE_MS) * requestsPerMinute
    const left = Math.min(requestsPerMinute, filled)
    const allowed = left >= 1
    this.#buckets.set(keyId, { left: allowed ? left - 1 : left, at: now })
    if (!allowed) throw new SottoError('proxy/key-rate', { retryAfterSeconds: Math.max(1, Math.ceil(((1 - left) / requestsPerMinute) * 60)) })
  }
}

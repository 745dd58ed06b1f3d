import { createHmac } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'

const MEMBER = 'user_cache_secret'

export interface CacheSecretOptions {
  /** 32 random bytes from the vault. This object owns and zeroes them. */
  readonly root: Uint8Array
  /** Separates the secrets of different services. */
  readonly profileId: string
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Separates prompt caches at an enclave's router. The router sees the service as one customer. Without a
 * secret, all customers of the service share one cache, and each could find out by timing whether another has
 * sent a prompt. The router mixes the secret into the cache's name and removes it from the request.
 *
 * A secret is derived from a root, the scope and the month (UTC), so each is replaced monthly and none
 * reveals another.
 */
export class CacheSecrets {
  readonly #profileId: string
  readonly #now: () => number
  /** null after disposal, because everyone knows a secret that is derived from zeros. */
  #root: Uint8Array | null

  constructor({ root, profileId, now }: CacheSecretOptions) {
    this.#root = root
    this.#profileId = profileId
    this.#now = now
  }

  /**
   * Adds the secret of a scope to a request that will be sealed. If the caller set a secret, it remains.
   * @param scope the requests that share a cache: a local key's id, `window`, or a temporary chat's id
   * @throws {SottoError} vault/locked – the root was zeroed
   */
  addTo(body: JsonObject, scope: string): JsonObject {
    const callerSecret = body[MEMBER]
    return typeof callerSecret === 'string' && callerSecret !== ''
      ? body
      : { ...body, [MEMBER]: this.#secretOf(scope) }
  }

  /**
   * Replaces all secrets. Zeroes the earlier root, and also the new one if this object is already disposed,
   * because locking must leave no root in memory.
   */
  renew(root: Uint8Array): void {
    const earlier = this.#root
    if (earlier) this.#root = root
    ;(earlier ?? root).fill(0)
  }

  [Symbol.dispose](): void {
    this.#root?.fill(0)
    this.#root = null
  }

  /** Returns 64 hex digits. */
  #secretOf(scope: string): string {
    if (!this.#root) throw new SottoError('vault/locked')
    const month = new Date(this.#now()).toISOString().slice(0, 7)
    return createHmac('sha256', this.#root)
      .update(JSON.stringify([this.#profileId, scope, month]))
      .digest('hex')
  }
}

import { createHmac } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'

const MEMBER = 'user_cache_secret'

export interface CacheSecretOptions {
  /** 32 random bytes of the vault. They belong to this object from now on, which zeroes them. */
  readonly root: Uint8Array
  /** No two services are given the same secret. */
  readonly profileId: string
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Keeps the prompt caches of an enclave's router apart. The service is one customer to the router, for all its own customers:
 * without a secret they share one cache, and each could find out by timing whether another has sent a prompt. The router
 * mixes the secret into the cache's name and removes it from the request.
 *
 * A secret is derived from a root, the scope and the month (UTC), so each is replaced monthly and none reveals another.
 */
export class CacheSecrets {
  readonly #profileId: string
  readonly #now: () => number
  /** null once it was disposed: a secret derived from zeros would be known to all. */
  #root: Uint8Array | null

  constructor({ root, profileId, now }: CacheSecretOptions) {
    this.#root = root
    this.#profileId = profileId
    this.#now = now
  }

  /**
   * Adds the secret of a scope to a request that will be sealed. A secret that the caller set is kept.
   *
   * @param scope what shares a cache: a local key's id, `window`, or a temporary chat's id
   * @throws {SottoError} vault/locked – the root was zeroed
   */
  addTo(body: JsonObject, scope: string): JsonObject {
    const own = body[MEMBER]
    return typeof own === 'string' && own !== '' ? body : { ...body, [MEMBER]: this.#secretOf(scope) }
  }

  /**
   * Replaces all secrets. The earlier root is zeroed, and so is the new one if this object is disposed already: a lock must
   * leave no root in memory.
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

  /** 64 hex digits. */
  #secretOf(scope: string): string {
    if (!this.#root) throw new SottoError('vault/locked')
    const month = new Date(this.#now()).toISOString().slice(0, 7)
    return createHmac('sha256', this.#root)
      .update(JSON.stringify([this.#profileId, scope, month]))
      .digest('hex')
  }
}

import { SottoError } from '../../../../src/shared/errors.ts'
import type { Vault } from '../../../../src/core/storage/vault/index.ts'

/** A vault in memory whose writes fail if a test decides so, as on a full disk. */
export class FragileVault implements Vault {
  readonly kind = 'memory'
  readonly state = 'open'
  readonly secrets = new Map<string, Uint8Array>()
  /** Decides by the call and the secret's name which writes fail. */
  failsAt: (call: 'set' | 'delete', name: string) => boolean = () => false
  /** Writes wait for this. */
  before: () => Promise<void> = () => Promise.resolve()

  get(name: string): Promise<Uint8Array | null> {
    const secret = this.secrets.get(name)
    // Not slice(): the slice of a Buffer shares its memory, and the caller may zero the returned bytes.
    return Promise.resolve(secret ? Uint8Array.from(secret) : null)
  }

  async set(name: string, secret: Uint8Array): Promise<void> {
    await this.before()
    if (this.failsAt('set', name)) throw new SottoError('store/unwritable')
    this.secrets.set(name, Uint8Array.from(secret))
  }

  delete(name: string): Promise<void> {
    if (this.failsAt('delete', name)) return Promise.reject(new SottoError('store/unwritable'))
    this.secrets.delete(name)
    return Promise.resolve()
  }

  unlock = () => Promise.resolve()
  protect = () => Promise.resolve()
  close = () => Promise.resolve()
}

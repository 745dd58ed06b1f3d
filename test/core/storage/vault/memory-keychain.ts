import type { Keychain } from '../../../../src/core/storage/vault/index.ts'

/** A keychain whose troubles are switched on by the test. */
export class MemoryKeychain implements Keychain {
  readonly items = new Map<string, Uint8Array>()
  /** `locked`, `absent` and `refused` reject everything, as systems say it; `silent` answers nothing, as a prompt that nobody sees; `deaf` finds no item and keeps none. */
  trouble: 'none' | 'locked' | 'absent' | 'refused' | 'silent' | 'deaf' = 'none'
  calls = 0

  get(account: string): Promise<Uint8Array | null> {
    return this.#answer(
      () => this.items.get(account)?.slice() ?? null,
      () => null,
    )
  }

  set(account: string, secret: Uint8Array): Promise<void> {
    return this.#answer(
      () => void this.items.set(account, secret.slice()),
      () => {
        throw new Error('no result found')
      },
    )
  }

  delete(account: string): Promise<void> {
    return this.#answer(
      () => void this.items.delete(account),
      () => undefined,
    )
  }

  #answer<T>(well: () => T, deaf: () => T): Promise<T> {
    this.calls++
    switch (this.trouble) {
      case 'none':
        return Promise.resolve().then(well)
      case 'deaf':
        return Promise.resolve().then(deaf)
      case 'locked':
        return Promise.reject(new Error('unlock prompt was dismissed'))
      case 'absent':
        return Promise.reject(
          new Error(
            'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files',
          ),
        )
      case 'refused':
        return Promise.reject(new Error('User canceled the operation'))
      case 'silent':
        return new Promise(() => undefined)
    }
  }
}

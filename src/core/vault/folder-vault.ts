import { SottoError } from '../../shared/errors.ts'
import { createFile, reopenHolding, type Holding, type Place } from './holding.ts'
import { writeVaultFile, type Secrets } from './vault-file.ts'
import type { Vault, VaultMode } from './vault.ts'

type Open = Extract<Holding, { state: 'open' }>

/** One at a time, in the order of the calls: what is held changes only after it was written. */
export class FolderVault implements Vault {
  readonly #mode: VaultMode
  readonly #place: Place
  #holding: Holding
  #closed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(mode: VaultMode, place: Place, holding: Holding) {
    this.#mode = mode
    this.#place = place
    this.#holding = holding
  }

  get kind(): Vault['kind'] {
    return this.#holding.kind
  }

  get state(): Vault['state'] {
    return this.#closed ? 'locked' : this.#holding.state
  }

  get(name: string): Promise<Uint8Array | null> {
    return this.#inTurn(() => {
      const secret = this.#open().secrets.get(name)
      return secret ? Uint8Array.from(secret) : null
    })
  }

  set(name: string, secret: Uint8Array): Promise<void> {
    // Not slice(): a Buffer's shares its memory.
    const copy = Uint8Array.from(secret)
    return this.#inTurn(() => this.#keep(new Map(this.#open().secrets).set(name, copy)))
  }

  delete(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const rest = new Map(this.#open().secrets)
      if (rest.delete(name)) await this.#keep(rest)
    })
  }

  unlock(passphrase: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#closed) throw new SottoError('vault/locked')
      if (this.#holding.state === 'open') return
      if (this.#holding.state !== 'passphrase-needed') this.#holding = await reopenHolding(this.#place, passphrase)
      if (this.#holding.state === 'open') return
      throw new SottoError(this.#holding.wrongPassphrase ? 'vault/wrong-passphrase' : `vault/${this.#holding.state}`)
    })
  }

  protect(passphrase: string): Promise<void> {
    return this.#inTurn(async () => {
      if (passphrase === '') throw new SottoError('vault/passphrase-needed')
      const secrets = !this.#closed && this.#holding.state === 'passphrase-needed' ? new Map<string, Uint8Array>() : this.#open().secrets
      if (this.kind === 'keychain' || this.#mode === 'memory') {
        throw new SottoError('vault/unavailable', { detail: `The secrets are kept in another way: ${this.kind}.` })
      }
      this.#holding = await createFile(this.#place, passphrase, secrets)
    })
  }

  close(): Promise<void> {
    return this.#inTurn(() => {
      if (this.#holding.state === 'open') {
        for (const secret of this.#holding.secrets.values()) secret.fill(0)
        if (this.#holding.kind !== 'memory') this.#holding.key.sealing.fill(0)
      }
      this.#closed = true
    })
  }

  #open(): Open {
    if (this.#closed) throw new SottoError('vault/locked')
    if (this.#holding.state !== 'open') throw new SottoError(`vault/${this.#holding.state}`)
    return this.#holding
  }

  async #keep(secrets: Secrets): Promise<void> {
    const holding = this.#open()
    if (holding.kind !== 'memory') await writeVaultFile(this.#place.folder, holding.header, holding.key, secrets)
    this.#holding = { ...holding, secrets }
  }

  async #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

import { SottoError } from '../../../shared/errors.ts'
import { msg, type LocalizedText } from '../../../shared/localized-text.ts'
import {
  createFile,
  createInKeychain,
  masterFromKeychain,
  probe,
  reloadHolding,
  type Holding,
  type Place,
} from './holding.ts'
import type { KeychainFinding } from './keychain.ts'
import { readRecoveryCopy, sealRecoveryCopy } from './recovery-copy.ts'
import { copyAside, writeVaultFile, type Secrets } from './vault-file.ts'
import { secretBytes, zeroAll } from './secret-bytes.ts'
import { masterFromPassphrase, opens, vaultKey } from './vault-key.ts'
import type { OwnedVault, VaultMode } from './vault.ts'

type Open = Extract<Holding, { state: 'open' }>

const FOUND: Readonly<Record<Exclude<KeychainFinding, 'working'>, LocalizedText>> = {
  locked: msg('The keychain is locked.'),
  absent: msg('No keychain is available on this system.'),
  refused: msg('The keychain doesn’t let Sotto save anything.'),
}

/**
 * The vault of a data folder (see OwnedVault). Calls run one at a time, in their order: the state changes
 * only after it was written.
 */
export class FolderVault implements OwnedVault {
  readonly mode: VaultMode
  readonly #place: Place
  #holding: Holding
  #finding: KeychainFinding | null
  #closed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(mode: VaultMode, place: Place, holding: Holding) {
    this.mode = mode
    this.#place = place
    this.#holding = holding
    this.#finding = holding.keychain ?? null
  }

  get kind(): OwnedVault['kind'] {
    return this.#holding.kind
  }

  get state(): OwnedVault['state'] {
    return this.#closed ? 'locked' : this.#holding.state
  }

  get keychain(): KeychainFinding | null {
    return this.#finding
  }

  examineKeychain(): Promise<KeychainFinding | null> {
    return this.#serially(async () => {
      if (this.mode === 'memory' || this.#closed) return this.#finding
      const { keychain } = this.#place
      const holding = this.#holding
      // Read the vault's own item if there is one, because a read writes nothing.
      this.#finding =
        holding.kind === 'keychain' && holding.state === 'open'
          ? (await masterFromKeychain(holding.header.id, keychain)).finding
          : await probe(keychain)
      return this.#finding
    })
  }

  get(name: string): Promise<Uint8Array | null> {
    return this.#serially(() => {
      const secret = this.#open().secrets.get(name)
      return secret ? secretBytes(secret) : null
    })
  }

  set(name: string, secret: Uint8Array): Promise<void> {
    const copy = secretBytes(secret)
    return this.#serially(async () => {
      const { secrets } = this.#open()
      await this.#keep(new Map(secrets).set(name, copy))
      zeroAll([secrets.get(name)])
    })
  }

  delete(name: string): Promise<void> {
    return this.#serially(async () => {
      const rest = new Map(this.#open().secrets)
      const removed = rest.get(name)
      if (!rest.delete(name)) return
      await this.#keep(rest)
      zeroAll([removed])
    })
  }

  unlock(passphrase: string): Promise<void> {
    return this.#serially(async () => {
      if (this.#closed) throw new SottoError('vault/locked')
      const before = this.#holding
      if (before.state === 'open') return
      const found =
        before.state === 'passphrase-needed' ? before : await reloadHolding(this.#place, passphrase)
      this.#take(found)
      if (found.state === 'open') return
      throw new SottoError(found.wrongPassphrase ? 'vault/wrong-passphrase' : `vault/${found.state}`)
    })
  }

  protect(passphrase: string, confirmedFor?: 'file'): Promise<void> {
    return this.#serially(async () => {
      if (passphrase === '') throw new SottoError('vault/passphrase-needed')
      this.#requireConfirmed(confirmedFor)
      const secrets =
        !this.#closed && this.#holding.state === 'passphrase-needed'
          ? new Map<string, Uint8Array>()
          : this.#open().secrets
      if (this.kind === 'keychain' || this.mode === 'memory') {
        throw new SottoError('vault/unavailable', {
          detail: msg('The secrets are stored in another kind of vault: {kind}.', { kind: this.kind }),
        })
      }
      this.#take(await createFile(this.#place, passphrase, secrets))
    })
  }

  verify(passphrase: string): Promise<void> {
    return this.#serially(async () => {
      const holding = this.#open()
      if (holding.kind !== 'file' || holding.header.kind !== 'file') throw this.#elsewhere()
      const key = vaultKey(await masterFromPassphrase(passphrase, holding.header), holding.header)
      zeroAll([key.sealing])
      if (!opens(key, holding.key.check)) throw new SottoError('vault/wrong-passphrase')
    })
  }

  moveToFile(passphrase: string): Promise<void> {
    return this.#serially(async () => {
      if (passphrase === '') throw new SottoError('vault/passphrase-needed')
      const holding = this.#open()
      if (holding.kind !== 'keychain' || this.mode !== 'auto') throw this.#elsewhere()
      this.#take(await createFile(this.#place, passphrase, holding.secrets))
      // The item can only open older copies of the file.
      await this.#place.keychain.delete(holding.header.id).catch(() => undefined)
    })
  }

  moveToKeychain(confirmedFor?: 'file'): Promise<void> {
    return this.#serially(async () => {
      this.#requireConfirmed(confirmedFor)
      const holding = this.#open()
      if (holding.kind === 'keychain' || this.mode !== 'auto') throw this.#elsewhere()
      const created = await createInKeychain(this.#place, holding.secrets)
      if (typeof created === 'string') {
        this.#finding = created
        throw new SottoError('vault/keychain-unusable', { detail: FOUND[created] })
      }
      this.#take(created)
    })
  }

  recoveryCopy(passphrase: string): Promise<string> {
    return this.#serially(() => sealRecoveryCopy(this.#open().secrets, passphrase))
  }

  restore(text: string, passphrase: string): Promise<void> {
    return this.#serially(async () => {
      if (this.#closed) throw new SottoError('vault/locked')
      if (this.#holding.state === 'open') throw this.#elsewhere()
      const secrets = await readRecoveryCopy(text, passphrase)
      await copyAside(this.#place.folder)
      const created = this.mode === 'file' ? undefined : await createInKeychain(this.#place, secrets)
      if (created !== undefined && typeof created !== 'string') {
        this.#take(created)
        return
      }
      if (this.mode === 'keychain')
        throw new SottoError('vault/keychain-unusable', created && { detail: FOUND[created] })
      this.#take({
        ...(await createFile(this.#place, passphrase, secrets)),
        ...(created && { keychain: created }),
      })
    })
  }

  lock(): Promise<boolean> {
    return this.#serially(() => {
      if (this.#closed || this.#holding.state !== 'open') return false
      const { kind } = this.#holding
      if (kind === 'memory') throw new SottoError('vault/cannot-lock')
      this.#forget()
      this.#holding = { kind, state: 'locked' }
      return true
    })
  }

  close(): Promise<void> {
    return this.#serially(() => {
      this.#forget()
      this.#closed = true
    })
  }

  /** Overwrites every key and secret that the vault holds. */
  #forget(): void {
    if (this.#holding.state !== 'open') return
    zeroAll(this.#holding.secrets.values())
    if (this.#holding.kind !== 'memory') zeroAll([this.#holding.key.sealing])
  }

  #open(): Open {
    if (this.#closed) throw new SottoError('vault/locked')
    if (this.#holding.state !== 'open') throw new SottoError(`vault/${this.#holding.state}`)
    return this.#holding
  }

  /**
   * The owner confirmed before this call had its turn. They didn't agree to replace a passphrase that was
   * set in between.
   */
  #requireConfirmed(confirmedFor: 'file' | undefined): void {
    if (this.#holding.state === 'open' && this.#holding.kind === 'file' && confirmedFor !== 'file')
      throw this.#elsewhere()
  }

  /** Replaces the holding. The secrets are shared with the one before, its sealing key is not. */
  #take(holding: Holding): void {
    if (this.#holding.state === 'open' && this.#holding.kind !== 'memory')
      zeroAll([this.#holding.key.sealing])
    this.#holding = holding
    this.#finding = holding.keychain ?? this.#finding
  }

  #elsewhere(): SottoError {
    return new SottoError('vault/unavailable', {
      detail: msg('The secrets are stored in another kind of vault: {kind}.', { kind: this.kind }),
      ...(this.mode !== 'auto' && { toolDetail: `SOTTO_VAULT is set to "${this.mode}".` }),
    })
  }

  async #keep(secrets: Secrets): Promise<void> {
    const holding = this.#open()
    if (holding.kind !== 'memory')
      await writeVaultFile(this.#place.folder, holding.header, holding.key, secrets)
    this.#holding = { ...holding, secrets }
  }

  async #serially<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

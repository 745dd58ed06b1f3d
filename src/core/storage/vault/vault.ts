import type { Keychain, KeychainFinding } from './keychain.ts'

/** `auto`: whatever holds this folder's secrets already; else the keychain if it works, a file if there is a passphrase, or memory. */
export type VaultMode = 'auto' | 'keychain' | 'file' | 'memory'

export interface VaultOptions {
  mode: VaultMode
  /** The data folder. Made (0700) when something is first written. */
  folder: string
  /** Opens the file, or creates it where none holds this folder's secrets. */
  passphrase?: string
  /** The system's keychain by default. */
  keychain?: Keychain
}

/**
 * Secrets by name. Every call but `unlock` and `close` throws SottoError by the state of a vault that is not open: `vault/locked`,
 * `vault/passphrase-needed` (where `protect` makes the file) or `vault/damaged`; what changes something throws `store/unwritable` too. A vault
 * that is not open never answers as an empty one.
 */
export interface Vault {
  /** `memory` becomes `file` by protect(). */
  readonly kind: 'keychain' | 'file' | 'memory'
  /**
   * `locked`: unlock() may open it. `passphrase-needed`: protect() creates it. `damaged`: what is there cannot be read, and
   * was left as it is; unlock() looks again, for one who has restored it.
   */
  readonly state: 'open' | 'locked' | 'passphrase-needed' | 'damaged'
  /** null: surely absent. The bytes are the caller's own, to zero when it needs them no longer. */
  get(name: string): Promise<Uint8Array | null>
  /** Durable when it resolves, but in memory. The bytes are copied: the caller may zero them. */
  set(name: string, secret: Uint8Array): Promise<void>
  delete(name: string): Promise<void>
  /**
   * Tries again. The keychain takes no passphrase of ours and ignores it.
   * Throws `vault/wrong-passphrase` (file), or by the state it is left in: `vault/locked`, `vault/damaged`, `vault/passphrase-needed`.
   */
  unlock(passphrase: string): Promise<void>
  /**
   * Memory that `auto` fell back to becomes a file, with everything in it; an open file takes this passphrase instead of its own;
   * a file that is still needed is created. Throws `vault/passphrase-needed` for an empty passphrase and `vault/unavailable`
   * where the keychain, or memory by choice, holds the secrets.
   * @param confirmedFor `file` if the owner agreed to give up the open file's passphrase; without it, `vault/unavailable` for an open file
   */
  protect(passphrase: string, confirmedFor?: 'file'): Promise<void>
  /** Zeroes every secret for good: every call afterwards throws `vault/locked`, and `unlock` can't open the vault again. */
  close(): Promise<void>
}

/** What the owner of a vault does with it as a whole. Of these calls `restore` is for a vault that is not open, and `examineKeychain` for any. */
export interface OwnedVault extends Vault {
  readonly mode: VaultMode
  /** What the system's keychain showed when it was last asked; null where it never was. */
  readonly keychain: KeychainFinding | null
  /**
   * Zeroes every secret and the sealing key, and leaves the vault `locked`, so that `unlock` can open it again. Writes nothing.
   * @returns false if the vault was not open
   * @throws {SottoError} `vault/cannot-lock` – the secrets are only in memory, so locking would lose them
   */
  lock(): Promise<boolean>
  /** Asks the keychain now, which may prompt its user. Memory by choice asks none. */
  examineKeychain(): Promise<KeychainFinding | null>
  /** Resolves where this is the passphrase of the open file. Throws `vault/wrong-passphrase`, and `vault/unavailable` where what is open is no file. */
  verify(passphrase: string): Promise<void>
  /** From the keychain into a file that this passphrase opens; the keychain's item goes, if it can. Throws `vault/passphrase-needed` for an empty passphrase, and `vault/unavailable` where it is not so, or another kind was asked for. */
  moveToFile(passphrase: string): Promise<void>
  /**
   * From an open file, or from memory that `auto` fell back to, into the keychain. Throws `vault/unavailable` as above, and
   * `vault/keychain-unusable`, with nothing changed, where the keychain does not keep what it is given.
   * @param confirmedFor as for protect()
   */
  moveToKeychain(confirmedFor?: 'file'): Promise<void>
  /** Everything in it, as one text that a passphrase opens. */
  recoveryCopy(passphrase: string): Promise<string>
  /**
   * In place of a vault that is not open: what a recovery copy holds, kept in the keychain unless the mode is `file`, and in a file under the
   * copy's passphrase where the keychain keeps nothing and is not what was asked for. The file that was there stays beside it. Throws
   * `vault/recovery-invalid`, `vault/recovery-passphrase`, `vault/keychain-unusable`, `store/unwritable`, and `vault/unavailable` where it is open.
   */
  restore(text: string, passphrase: string): Promise<void>
}

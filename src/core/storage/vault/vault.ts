import type { Keychain, KeychainFinding } from './keychain.ts'

/**
 * `auto`: the existing storage of this folder's secrets, otherwise the keychain if it works, a file if
 * there is a passphrase, or memory.
 */
export type VaultMode = 'auto' | 'keychain' | 'file' | 'memory'

export interface VaultOptions {
  mode: VaultMode
  /** The data folder. The first write creates it (0700). */
  folder: string
  /** Opens the file, or creates it if the folder has no secrets yet. */
  passphrase?: string
  /** The system's keychain by default. */
  keychain?: Keychain
}

/**
 * Secrets by name. While the vault isn't open, every method except `unlock` and `close` throws SottoError
 * according to its state: `vault/locked`, `vault/passphrase-needed` (if `protect` creates the file) or
 * `vault/damaged`. Methods that change something also throw `store/unwritable`. A vault that isn't open
 * never answers like an empty one.
 */
export interface Vault {
  /** protect() changes `memory` to `file`. */
  readonly kind: 'keychain' | 'file' | 'memory'
  /**
   * `locked`: unlock() may open it. `passphrase-needed`: protect() creates it. `damaged`: the vault can't
   * be read, and wasn't changed; unlock() reads it again, in case it was restored.
   */
  readonly state: 'open' | 'locked' | 'passphrase-needed' | 'damaged'
  /**
   * Returns null only if the secret certainly doesn't exist. The caller owns the bytes, and zeroes them
   * after use.
   */
  get(name: string): Promise<Uint8Array | null>
  /**
   * Durable when it resolves, except for the kind `memory`. The bytes are copied: the caller may zero them.
   */
  set(name: string, secret: Uint8Array): Promise<void>
  delete(name: string): Promise<void>
  /**
   * Present if several processes share the vault. Saves the secret unless the name has one, and returns the saved
   * one, which the caller owns.
   */
  readonly add?: (name: string, secret: Uint8Array) => Promise<Uint8Array>
  /**
   * Tries to open the vault again. A keychain ignores the passphrase. Throws `vault/wrong-passphrase`
   * (file), or according to the resulting state: `vault/locked`, `vault/damaged`,
   * `vault/passphrase-needed`.
   */
  unlock(passphrase: string): Promise<void>
  /**
   * If `auto` fell back to memory, turns it into a file with all of its content. For an open file, replaces
   * its passphrase. If the file is still missing, creates it. Throws `vault/passphrase-needed` for an empty
   * passphrase, and `vault/unavailable` if the secrets are in the keychain, or in memory by choice.
   *
   * @param confirmedFor `file` if the owner agreed to replace the open file's passphrase; without it,
   * `vault/unavailable` for an open file
   */
  protect(passphrase: string, confirmedFor?: 'file'): Promise<void>
  /** Zeroes every secret for good: every call afterwards throws `vault/locked`, and `unlock` can't open the vault again. */
  close(): Promise<void>
}

/**
 * Operations on a whole vault by its owner. `restore` requires a vault that isn't open; `examineKeychain`
 * works in any state.
 */
export interface OwnedVault extends Vault {
  readonly mode: VaultMode
  /** The state of the system's keychain when it was last examined; null if it wasn't. */
  readonly keychain: KeychainFinding | null
  /**
   * Zeroes every secret and the sealing key, and leaves the vault `locked`, so that `unlock` can open it again. Writes nothing.
   * @returns false if the vault was not open
   * @throws {SottoError} `vault/cannot-lock` – the secrets are only in memory, so locking would lose them
   */
  lock(): Promise<boolean>
  /** Examines the keychain now, which may prompt the user. Does nothing if the mode is `memory`. */
  examineKeychain(): Promise<KeychainFinding | null>
  /**
   * Resolves if this is the passphrase of the open file. Throws `vault/wrong-passphrase`, and
   * `vault/unavailable` if no file is open.
   */
  verify(passphrase: string): Promise<void>
  /**
   * Moves the secrets from the keychain to a file under this passphrase, and deletes the keychain's item if
   * possible. Throws `vault/passphrase-needed` for an empty passphrase, and `vault/unavailable` if the
   * keychain isn't open, or another mode was requested.
   */
  moveToFile(passphrase: string): Promise<void>
  /**
   * Moves the secrets to the keychain, from an open file or from memory that `auto` fell back to. Throws
   * `vault/unavailable` as above. Throws `vault/keychain-unusable` if the keychain doesn't store the key;
   * nothing is changed then.
   *
   * @param confirmedFor see protect()
   */
  moveToKeychain(confirmedFor?: 'file'): Promise<void>
  /** All secrets, as one text that a passphrase opens. */
  recoveryCopy(passphrase: string): Promise<string>
  /**
   * Replaces a vault that isn't open with the content of a recovery copy. The new vault is in the keychain
   * unless the mode is `file`. If the keychain doesn't work and wasn't requested, the new vault is a file
   * under the copy's passphrase. The previous file is copied in its folder. Throws
   * `vault/recovery-invalid`, `vault/recovery-passphrase`, `vault/keychain-unusable`, `store/unwritable`,
   * and `vault/unavailable` if the vault is open.
   */
  restore(text: string, passphrase: string): Promise<void>
}

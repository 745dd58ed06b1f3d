import type { Keychain } from './keychain.ts'

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
 * Secrets by name. Every call but `unlock`, `protect` and `close` throws SottoError by the state: `vault/locked`,
 * `vault/passphrase-needed` or `vault/damaged`. A vault that is not open never answers as an empty one.
 */
export interface Vault {
  /** `memory` becomes `file` by protect(). */
  readonly kind: 'keychain' | 'file' | 'memory'
  /**
   * `locked`: unlock() may open it. `passphrase-needed`: protect() creates it. `damaged`: what is there cannot be read, and
   * was left as it is; unlock() looks again, for one who has restored it.
   */
  readonly state: 'open' | 'locked' | 'passphrase-needed' | 'damaged'
  /** null: surely absent. */
  get(name: string): Promise<Uint8Array | null>
  /** Durable when it resolves, but in memory. */
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
   */
  protect(passphrase: string): Promise<void>
  /** Forgets every secret; what is called afterwards throws `vault/locked`. */
  close(): Promise<void>
}

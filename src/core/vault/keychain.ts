/** What the vault needs of a keychain: one small item. Every call may reject, and may hang while the system asks its user. */
export interface Keychain {
  /** null: no such item. Some keychains answer so too while they are locked. */
  get(account: string): Promise<Uint8Array | null>
  set(account: string, secret: Uint8Array): Promise<void>
  delete(account: string): Promise<void>
}

import { FolderVault } from './folder-vault.ts'
import { createHolding } from './holding.ts'
import { limitTime, systemKeychain } from './keychain.ts'
import type { OwnedVault, VaultOptions } from './vault.ts'

export type { Keychain, KeychainFinding } from './keychain.ts'
export { decryptWithPassphrase, sealUnderPassphrase } from './passphrase-text.ts'
export { decryptLines, sealLines, type LineOpener, type LineSealer } from './sealed-lines.ts'
export { secretOrNew, setText, takeText } from './secret-bytes.ts'
export type { OwnedVault, Vault, VaultMode, VaultOptions } from './vault.ts'

/**
 * Unlocks the vault of a data folder. A wrong passphrase leaves a file `locked`; an empty one counts as
 * none.
 * In `auto`, a folder without a vault gets one in the keychain at once, which proves that the keychain
 * works. If it doesn't work, the folder gets a file if there is a passphrase, and otherwise `memory`. The
 * mode `memory` neither reads nor writes the folder.
 * Throws SottoError `vault/unavailable` if the requested mode doesn't work here or isn't that of the
 * folder's secrets, and `store/unwritable`.
 */
export async function unlockVault({
  mode,
  folder,
  passphrase,
  keychain = systemKeychain(),
}: VaultOptions): Promise<OwnedVault> {
  const place = { folder, keychain: limitTime(keychain) }
  return new FolderVault(mode, place, await createHolding(mode, place, passphrase || undefined))
}

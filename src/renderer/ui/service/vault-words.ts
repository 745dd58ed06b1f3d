import { t } from '@lingui/core/macro'
import type { VaultView } from '../../../shared/vault-view.ts'

/** Where the key that seals everything is stored. */
export const vaultWords: Readonly<Record<VaultView['kind'], string>> = {
  get keychain() {
    return t`The key that encrypts Sotto’s data is in this system’s keychain.`
  },
  get file() {
    return t`The key that encrypts Sotto’s data is protected by a passphrase.`
  },
  get memory() {
    return t`Nothing is saved. Everything is deleted when Sotto quits.`
  },
}

/** The last state that the system's keychain reported. */
export const keychainWords: Readonly<Record<NonNullable<VaultView['keychain']>, string>> = {
  get working() {
    return t`Working`
  },
  get locked() {
    return t`Locked: unlock the keychain to use it`
  },
  get absent() {
    return t`Not found: no keychain is available on this system`
  },
  get refused() {
    return t`Access denied: the keychain doesn’t let Sotto save anything`
  },
}

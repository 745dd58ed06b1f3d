import { t } from '@lingui/core/macro'
import type { VaultView } from '../../../shared/vault-view.ts'

/** What holds the key that seals everything. */
export const vaultWords: Readonly<Record<VaultView['kind'], string>> = {
  get keychain() { return t`The keychain of this system holds the key that seals everything Sotto keeps.` },
  get file() { return t`A passphrase holds the key that seals everything Sotto keeps.` },
  get memory() { return t`Memory alone: nothing is kept after Sotto stops.` },
}

/** What the system's keychain showed when it was asked last. */
export const keychainWords: Readonly<Record<NonNullable<VaultView['keychain']>, string>> = {
  get working() { return t`Working` },
  get locked() { return t`Locked: it is there, and waits to be unlocked` },
  get absent() { return t`Absent: nothing answers as a keychain on this system` },
  get refused() { return t`Refused: it answers, and does not let Sotto keep anything` },
}

import type { Vault, VaultOptions } from './vault.ts'

export type { Keychain } from './keychain.ts'
export type { Vault, VaultMode, VaultOptions } from './vault.ts'

export declare function openVault(options: VaultOptions): Promise<Vault>

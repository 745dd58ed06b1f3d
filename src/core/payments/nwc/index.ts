export { isSameConnection, NwcConnection, readNwcConnection } from './connection.ts'
export type { WalletBudget } from './answers.ts'
export type { WalletCapabilities } from './capabilities.ts'
export { createNwcWallet, type NwcWallet, type NwcWalletOptions } from './wallet.ts'

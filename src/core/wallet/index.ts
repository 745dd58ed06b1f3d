export { openMoney, type Money } from './open-money.ts'
export { openKeptWallet, type KeptWallet, type PretendedWallet } from './kept-wallet.ts'
export type { ExchangeRate, KeptRate } from './kept-rate.ts'
export { readSpendingLimits, writeSpendingLimits } from './spending-settings.ts'

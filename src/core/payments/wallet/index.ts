export { createMoney, payeeOf, type Money } from './create-money.ts'
export { createWalletService, type WalletService, type SimulatedWallet } from './wallet-service.ts'
export type { ExchangeRate, ExchangeRateCache } from './exchange-rate-cache.ts'
export { readSpendingLimits, resumedAtIn, writeSpendingLimits } from './spending-settings.ts'

export {
  createKeyBudgets,
  type BudgetJournal,
  type KeyBudgets,
  type KeyMoney,
  type Reservation,
} from './key-budgets.ts'
export type { Answer, TransportResponse, PaymentTransport, Demand } from './payment-transport.ts'
export { rateOf } from './exchange-rate.ts'
export type { DeliveredFiles, FrozenRequest, PaymentJournal, PaymentRecord } from './journal.ts'
export { createLimitClock, type LimitClock } from './limit-clock.ts'
export { limitMarksIn } from './limit-mark.ts'
export type { LightningWallet, LookedUp, PaymentOutcome } from './lightning-wallet.ts'
export { createPayer } from './create-payer.ts'
export { isMaking } from './payment-state.ts'
export type { About, AskReason, Asks, Pause, Payer, PayerOptions, Quoted, Spent } from './payer.ts'
export type { SpendingLimits } from './spending-limits.ts'
export { createSingleRequests, type SingleRequests } from './single-requests.ts'

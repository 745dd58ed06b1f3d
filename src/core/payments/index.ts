export {
  createKeyBudgets,
  type BudgetJournal,
  type KeyBudgets,
  type KeyMoney,
  type Reservation,
} from './key-budgets.ts'
export { requireCover, type Cover } from './budget-cover.ts'
export { daysOf, type Today } from './budget-period.ts'
export { rateOf } from './exchange-rate.ts'
export { isUncertain, type FrozenRequest, type PaymentRecord } from '../../shared/payment-record.ts'
export { createLimitClock, type LimitClock } from './limit-clock.ts'
export { limitMarksIn } from './limit-mark.ts'
export type { LightningWallet, LookedUp, PaymentOutcome } from './lightning-wallet.ts'
export { createPayer } from './create-payer.ts'
export { isUndelivered } from './circuit-breaker.ts'
export { isMaking, isSettled } from './payment-state.ts'
export type { About, AskReason, Asks, Pause, Payer, PayerOptions, Quoted, Spent } from './payer.ts'
export type { SpendingLimits } from './spending-limits.ts'
export { createSingleRequests } from './single-requests.ts'

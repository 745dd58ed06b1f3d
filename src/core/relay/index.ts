export type { Budgets, Reservation } from './budgets.ts'
export { createModelListing, type ModelListing } from './model-listing.ts'
export { createRelay, type ChatRequest, type Relay, type RelayAnswer } from './relay.ts'
export type { ReceiptSink } from './receipt-draft.ts'

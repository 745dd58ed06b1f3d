export type { Budgets, Reservation, ReservedRequest } from './budgets.ts'
export { keyFingerprint, type ReceiptSink } from './receipt-draft.ts'
export { createModelListing, type ModelListing } from './model-listing.ts'
export type { Timing } from './added-time.ts'
export {
  endRequestsWith,
  createRelay,
  type ChatRequest,
  type EarlierPrivacy,
  type Relay,
  type RelayAnswer,
} from './relay.ts'
export type { Conversion, ConversionRequest } from './convert.ts'
export { Conversions } from './conversions.ts'
export { CacheSecrets } from './cache-secret.ts'
export {
  createPaymentTransport,
  type PaymentTransport,
  type TransportAnswer,
  type TransportResponse,
} from './payment-transport.ts'
export type { FrozenRequest } from '../../../shared/payment-record.ts'
export type { PurchaseCall, PurchaseRequest, PurchaseResult, SingleRequests } from './single-requests.ts'
export type { AudioListing } from './plaintext-relay.ts'
export type {
  PlaintextAnswer,
  PlaintextAsk,
  PlaintextForm,
  FreeLookup,
  PlaintextRequest,
  PayableAsk,
} from './plaintext-request.ts'
export { looksPrivate } from './private-name.ts'
export { SkippedEntries } from './skipped-entries.ts'

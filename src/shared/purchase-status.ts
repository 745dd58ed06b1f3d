import type { PaymentState, Purchase } from './purchase.ts'

/** The state of a purchase as a person sees it. `making`: paid, and the service is working on it; `run-out`: its quoted price has expired; `not-made`: paid, and generation failed. */
export type PurchaseStatus = PaymentState | 'run-out' | 'making' | 'not-made'

/** @param now Unix ms; if absent, an expired price is not detected */
export function purchaseStatus(
  { state, job, expiresAt }: Pick<Purchase, 'state' | 'job' | 'expiresAt'>,
  now?: number,
): PurchaseStatus {
  if (state === 'quoted' && now !== undefined && now >= expiresAt) return 'run-out'
  if ((state === 'paid' || state === 'delivered') && job?.status === 'pending') return 'making'
  if ((state === 'paid' || state === 'delivered') && job?.status === 'failed') return 'not-made'
  return state
}

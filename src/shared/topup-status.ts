import type { Topup } from './topup.ts'

/** The state of a top-up as a person sees it, with the payment of it from here. `run-out`: its time is over, and the service hasn't reported whether it was paid. */
export type TopupStatus =
  | 'waiting'
  | 'part-paid'
  | 'paying'
  | 'held'
  | 'payment-unknown'
  | 'payment-closed'
  | 'sent'
  | 'processing'
  | 'settled'
  | 'overpaid'
  | 'run-out'
  | 'expired'
  | 'part-paid-ended'
  | 'paid-late'
  | 'refunded'
  | 'replaced'
  | 'invalid'
  | 'not-as-asked'
  | 'unknown'

/** @param now Unix ms */
export function topupStatus(
  { state, payment, expiresAt, problem, received }: Topup,
  now: number,
): TopupStatus {
  if (state === 'settled') return received?.covers === 'more' ? 'overpaid' : state
  if (state === 'processing' || state === 'refunded') return state
  // The wallet may have sent the money, whatever status the service reports for the invoice.
  if (payment === 'paying' || payment === 'held') return payment
  if (payment === 'unknown') return 'payment-unknown'
  if (payment === 'closed' && state === 'new') return 'payment-closed'
  if (payment === 'paid' || payment === 'delivered' || payment === 'undelivered') return 'sent'
  if (state === 'new' && problem !== undefined) return 'not-as-asked'
  if (state === 'expired' && received)
    return received.covers === 'whole' || received.covers === 'more' ? 'paid-late' : 'part-paid-ended'
  if (state !== 'new') return state
  if (expiresAt !== undefined && expiresAt <= now) return 'run-out'
  return received ? 'part-paid' : 'waiting'
}

const ENDED: ReadonlySet<TopupStatus> = new Set([
  'settled',
  'overpaid',
  'expired',
  'part-paid-ended',
  'paid-late',
  'refunded',
  'replaced',
  'invalid',
  'not-as-asked',
])

/**
 * Whether it can be removed from the list. An invoice never ends by time, because it may have been paid
 * before.
 */
export function hasEnded(topup: Topup): boolean {
  return ENDED.has(topupStatus(topup, 0))
}

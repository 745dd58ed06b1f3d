import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { UnsentError } from '../../../shared/fetch.ts'

/** Holds money back before a request leaves. core/payments fills it. */
export interface Budgets {
  /** In pico-USD. Throws budget/exceeded, budget/price-unknown, store/unwritable. */
  reserve(localKeyId: string, most: bigint | 'unknown'): Reservation
}

export interface Reservation {
  /** The day that it's charged to, in days since 1970-01-01. */
  readonly day: number
  /** Ends it, once. Returns what was charged: the cost, or the most where the cost is not known. */
  settle(cost: bigint | 'unknown'): bigint
}

/** A status of 4xx: the service turned the request away, and does not charge for what it did not do. */
const TURNED_AWAY: ReadonlySet<ErrorCode> = new Set([
  'service/key-refused',
  'service/key-revoked',
  'service/key-expired',
  'service/insufficient-balance',
  'service/spending-cap',
  'service/payment-required',
  'service/rate-limited',
  'service/rejected',
  'service/not-found',
  'channel/key-rotated',
])

/** Whether the service may charge for a request that failed after it was on its way out. In doubt it may. */
export function mayBeCharged(failure: SottoError): boolean {
  return !TURNED_AWAY.has(failure.code) && !wasNeverSent(failure)
}

function wasNeverSent(failure: unknown): boolean {
  if (failure instanceof UnsentError) return true
  return failure instanceof Error && wasNeverSent(failure.cause)
}

/** Failures after which the wallet has paid, or may have. */
const MAY_HAVE_PAID: ReadonlySet<ErrorCode> = new Set([
  'payment/undelivered',
  'payment/credential-refused',
  'payment/unresolved',
  'payment/in-progress',
  'proxy/internal',
])

/** As mayBeCharged, of a request that is paid for by itself, where the wallet did not say that it paid: whatever failed before it was asked cost nothing. */
export function mayHavePaid({ code }: SottoError): boolean {
  return MAY_HAVE_PAID.has(code) || code.startsWith('store/')
}

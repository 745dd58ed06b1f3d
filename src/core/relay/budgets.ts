import type { ErrorCode } from '../../shared/error-codes.ts'
import type { SottoError } from '../../shared/errors.ts'
import { UnsentError } from '../../shared/fetch.ts'

/** Holds money back before a request leaves. core/payment fills it. */
export interface Budgets {
  /** In pico-USD. Null where this local key has no budget. Throws budget/exceeded, budget/price-unknown, store/unwritable. */
  reserve(localKeyId: string, most: bigint | 'unknown'): Reservation | null
}

export interface Reservation {
  /** Ends it, once. Returns what was charged: the cost, or the most where the cost is not known. */
  settle(cost: bigint | 'unknown'): bigint
}

/** A status of 4xx: the service turned the request away, and does not charge for what it did not do. */
const TURNED_AWAY: ReadonlySet<ErrorCode> = new Set(['service/key-refused', 'service/balance', 'service/rate-limited', 'service/rejected', 'channel/key-rotated'])

/** Whether the service may charge for a request that failed after it was on its way out. In doubt it may. */
export function mayBeCharged(failure: SottoError): boolean {
  return !TURNED_AWAY.has(failure.code) && !wasNeverSent(failure)
}

function wasNeverSent(failure: unknown): boolean {
  if (failure instanceof UnsentError) return true
  return failure instanceof Error && wasNeverSent(failure.cause)
}

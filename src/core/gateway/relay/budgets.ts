import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { UnsentError } from '../../../shared/fetch.ts'

/** Reserves money before a request is sent. core/payments implements it. */
export interface Budgets {
  /**
   * With a local store, it returns or throws at once. With a database that replicas share, it returns a promise.
   * @param owner the local key or the project that the budget belongs to
   * @param most pico-USD
   * @throws {SottoError} budget/exceeded, budget/price-unknown, store/unwritable, database/…
   */
  reserve(
    owner: string,
    most: bigint | 'unknown',
    request: ReservedRequest,
  ): Reservation | Promise<Reservation>
}

/** The request that money is reserved for. */
export interface ReservedRequest {
  readonly receiptId: string
  /** Whether it's only sent sealed to the enclave that serves the model. */
  readonly isPrivate: boolean
}

export interface Reservation {
  /** The day that it's charged to, in days since 1970-01-01. */
  readonly day: number
  /**
   * Ends the reservation, once. Returns the charged amount: the cost, or the most if the cost isn't known.
   */
  settle(cost: bigint | 'unknown'): bigint
}

/** Codes of status 4xx: the service refused the request, and doesn't charge for it. */
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

/** Whether the service may charge for a request that failed after it was sent. In doubt it may. */
export function mayBeCharged(failure: SottoError): boolean {
  return !TURNED_AWAY.has(failure.code) && !wasNeverSent(failure)
}

function wasNeverSent(failure: unknown): boolean {
  if (failure instanceof UnsentError) return true
  return failure instanceof Error && wasNeverSent(failure.cause)
}

/** Failures after which the wallet has paid or may have paid. */
const MAY_HAVE_PAID: ReadonlySet<ErrorCode> = new Set([
  'payment/undelivered',
  'payment/credential-refused',
  'payment/unresolved',
  'payment/in-progress',
  'proxy/internal',
])

/**
 * Like mayBeCharged, for a purchase whose wallet didn't report a payment: a failure before the wallet was
 * asked costs nothing.
 */
export function mayHavePaid({ code }: SottoError): boolean {
  return MAY_HAVE_PAID.has(code) || code.startsWith('store/')
}

import type { PaymentRecord } from '../../../shared/payment-record.ts'
import type { Received } from '../../../shared/topup.ts'
import type { TopupInvoice } from '../../gateway/service/account/topup-invoice.ts'
import type { TopupRecord } from '../../storage/index.ts'
import { receivedOf } from './received.ts'
import { isAwaited } from './topup-view.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/**
 * The service deletes invoices some three days after their end. After this time, "not found" means that the
 * invoice has ended.
 */
const FORGOTTEN_AFTER_MS = 2 * DAY_MS
/** States in which the invoice must not be paid. */
const ENDED: ReadonlySet<TopupRecord['state']> = new Set(['expired', 'invalid', 'refunded', 'replaced'])

/**
 * Returns the time until Sotto requests the state again, by its age: short while somebody waits, long after a
 * day.
 * @returns ms
 */
export function pause({ createdAt }: TopupRecord, now: number, watched: boolean): number {
  const age = now - createdAt
  const least = watched ? 0 : 2 * MINUTE_MS
  return Math.max(
    least,
    age < 2 * MINUTE_MS
      ? 3 * SECOND_MS
      : age < 20 * MINUTE_MS
        ? 10 * SECOND_MS
        : age < 2 * HOUR_MS
          ? MINUTE_MS
          : age < DAY_MS
            ? 10 * MINUTE_MS
            : age < 4 * DAY_MS
              ? 2 * HOUR_MS
              : DAY_MS,
  )
}

/** Whether it remains in the list: it can be paid, or a payment by Sotto hasn't arrived. */
export function isOpen(record: TopupRecord, payment: PaymentRecord | undefined, now: number): boolean {
  if (!isAskedAbout(record, now) || record.state === 'invalid') return false
  return !ENDED.has(record.state) || isAwaited(payment)
}

/**
 * Whether Sotto requests its state from the service. An end isn't final: money that arrives late can still be
 * credited, refunded, or reported as a part. Sotto requests the state until the service deletes the invoice.
 */
export function isAskedAbout(record: TopupRecord, now: number): boolean {
  const { state, problem, missingSince } = record
  if (problem !== undefined || state === 'settled') return false
  return missingSince === undefined || now < endOf(record) + FORGOTTEN_AFTER_MS
}

/** Returns Unix ms. An invoice without an expiry gets a default, because nobody waits longer. */
export function endOf({ createdAt, expiresAt }: TopupRecord): number {
  return expiresAt ?? createdAt + DAY_MS
}

/**
 * Returns the record after the service's answer; null means that the service doesn't know the invoice. The
 * answer determines the state and the received amount. The recipient and the amount to pay remain as Sotto
 * checked them when it created the top-up.
 */
export function afterAnswer(
  record: TopupRecord,
  answer: TopupInvoice | null,
  payment: PaymentRecord | undefined,
  now: number,
): TopupRecord {
  const { missingSince, ...known } = record
  // A settled invoice changes only by a refund: the service may return the money later.
  if (record.state === 'settled')
    return answer?.state === 'refunded' ? { ...known, state: 'refunded' } : record
  if (answer) {
    const { received: _, ...before } = known
    const received = receivedOf(record, answer)
    const state = stateOf(record, answer, received)
    // Sotto never shows an invoice that doesn't match the request, so it only changes when it's settled.
    return record.problem === undefined || state === 'settled'
      ? { ...before, state, ...(received && { received }), ...(state === 'settled' && { settledAt: now }) }
      : record
  }
  if (record.problem !== undefined) return record
  const ended = now >= endOf(record) + FORGOTTEN_AFTER_MS
  return {
    ...known,
    missingSince: missingSince ?? now,
    state: ENDED.has(record.state) ? record.state : ended && !isAwaited(payment) ? 'expired' : 'unknown',
  }
}

function stateOf(
  { method }: TopupRecord,
  { state = 'unknown', amountDue }: TopupInvoice,
  received: Received | undefined,
): TopupRecord['state'] {
  // A Lightning payment is final as soon as it's seen. Coins wait for confirmation.
  if (state === 'paid') return method === 'btc-lightning' ? 'settled' : 'processing'
  // The service still reports it as new, although nothing more is due.
  if (
    state === 'new' &&
    received?.covers !== undefined &&
    (received.covers !== 'part' || isNothing(amountDue))
  )
    return 'processing'
  return state
}

function isNothing(amount: string | undefined): boolean {
  return amount !== undefined && /^[0.]+$/.test(amount)
}

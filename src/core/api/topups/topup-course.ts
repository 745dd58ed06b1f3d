import type { PaymentRecord } from '../../../shared/payment-record.ts'
import type { TopupInvoice } from '../../service/account/topup-invoice.ts'
import type { TopupRecord } from '../../store/index.ts'
import { paidFromHere } from './topup-view.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The service forgets invoices some three days after their end; from here on, not to know one says that it has ended. */
const FORGOTTEN_AFTER_MS = 2 * DAY_MS

/** How long until it is asked about again, by how long ago it was made: fast while somebody waits, hardly ever after a day. */
export function pause({ createdAt }: TopupRecord, now: number, watched: boolean): number {
  const age = now - createdAt
  const least = watched ? 0 : 2 * MINUTE_MS
  return Math.max(least, age < 2 * MINUTE_MS ? 3 * SECOND_MS : age < 20 * MINUTE_MS ? 10 * SECOND_MS : age < 2 * HOUR_MS ? MINUTE_MS : age < DAY_MS ? 10 * MINUTE_MS : 2 * HOUR_MS)
}

/** Whether it is asked about, and stays on the list: it may be paid, or was and has not arrived. */
export function isOpen(record: TopupRecord, payment: PaymentRecord | undefined, now: number): boolean {
  const { state, problem, missingSince } = record
  if (problem !== undefined || state === 'settled' || state === 'invalid') return false
  if (missingSince !== undefined && now >= endOf(record) + FORGOTTEN_AFTER_MS) return false
  return state !== 'expired' || paidFromHere(payment)
}

/** Unix ms. One that names no end has one for this: nobody waits longer. */
export function endOf({ createdAt, expiresAt }: TopupRecord): number {
  return expiresAt ?? createdAt + DAY_MS
}

/**
 * The record after the service said this of it; null: that it knows of none. What it says decides the state alone: who is paid,
 * and how much, stays as it was checked when it was made.
 */
export function afterAnswer(record: TopupRecord, answer: TopupInvoice | null, payment: PaymentRecord | undefined, now: number): TopupRecord {
  const { missingSince, ...known } = record
  if (record.state === 'settled') return record
  if (answer) {
    const state = answer.state ?? 'unknown'
    // One that is not what was asked for was never shown: only that it was paid all the same changes anything.
    return record.problem === undefined || state === 'settled' ? { ...known, state } : record
  }
  if (record.problem !== undefined || record.state === 'invalid') return record
  const ended = now >= endOf(record) + FORGOTTEN_AFTER_MS
  return { ...known, missingSince: missingSince ?? now, state: ended && !paidFromHere(payment) ? 'expired' : record.state === 'expired' ? 'expired' : 'unknown' }
}

import { SottoError } from '../../shared/errors.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import type { LimitTime } from './limit-clock.ts'
import { isUncertain, type PaymentRecord } from '../../shared/payment-record.ts'
import type { PaymentJournal } from '../storage/index.ts'
import type { Spent } from './payer.ts'

/** The limits for spending over Lightning, in msat: a parsed spendingLimitsSchema. 0 permits nothing. */
export interface SpendingLimits {
  readonly perPayment: bigint
  /** Within any 24 hours. */
  readonly perDay: bigint
  /** To one host, within any 24 hours. */
  readonly perHostAndDay: bigint
  /** A payment up to this amount to a host that was paid before needs no confirmation. */
  readonly automaticUpTo: bigint
}

/** Money that was paid or may have been, in msat. */
export interface SpentPart {
  readonly host: string
  readonly amountMsat: bigint
  readonly feeMsat: bigint
  /** It's certain that it was paid. */
  readonly settled: boolean
}

const DAY_MS = 24 * 3_600_000

/**
 * Returns the payments that count in the last 24 hours by the clock for limits: those reserved in that time,
 * unless it's certain that nothing was paid, and earlier ones with an unknown outcome. A payment with a later
 * reservation than now is from before the clock was last set back, and counts as reserved at that time.
 */
export function spentInDay(
  journal: Pick<PaymentJournal, 'open' | 'reservedSince'>,
  { at: now, resetAt }: LimitTime,
): readonly SpentPart[] {
  const since = now - DAY_MS
  const older = journal
    .open()
    .filter(({ state, reservedAt }) => reservedAt !== undefined && reservedAt < since && isUncertain(state))
  const recent = journal
    .reservedSince(since)
    .filter(({ at, settled }) => at <= now || resetAt >= since || !settled)
  return [
    ...recent,
    ...older.map(({ host, amountMsat, feeMsat = 0n }) => ({ host, amountMsat, feeMsat, settled: false })),
  ]
}

/**
 * Requires that one more payment is within the limits. Everything from here until the reservation is written
 * must be synchronous. Otherwise two concurrent payments could both pass.
 * @throws {SottoError} payment/over-limit
 */
export function requireWithinLimits(
  limits: SpendingLimits,
  { amountMsat, host }: Pick<PaymentRecord, 'amountMsat' | 'host'>,
  spent: readonly SpentPart[],
): void {
  const { perPayment, perDay, perHostAndDay } = limits
  if (amountMsat > perPayment)
    throw over(
      msg('The payment is {amount}, and the limit per payment is {limit}.', {
        amount: sats(amountMsat),
        limit: sats(perPayment),
      }),
    )
  const inDay = total(spent)
  if (inDay + amountMsat > perDay)
    throw over(
      msg('It would bring the 24-hour total to {sum}, and the limit is {limit}.', {
        sum: sats(inDay + amountMsat),
        limit: sats(perDay),
      }),
    )
  const toHost = total(spent.filter((part) => part.host === host))
  if (toHost + amountMsat > perHostAndDay)
    throw over(
      msg('It would bring the 24-hour total for this host to {sum}, and the limit is {limit}.', {
        sum: sats(toHost + amountMsat),
        limit: sats(perHostAndDay),
      }),
    )
}

/** Returns the sum with fees. */
export function total(parts: readonly SpentPart[]): bigint {
  return parts.reduce((sum, { amountMsat, feeMsat }) => sum + amountMsat + feeMsat, 0n)
}

/** Returns the sums of the last 24 hours, and those of each host that was paid. */
export function spentOf(journal: PaymentJournal, now: LimitTime): Spent {
  const parts = spentInDay(journal, now)
  return {
    day: total(parts.filter(({ settled }) => settled)),
    reserved: total(parts.filter(({ settled }) => !settled)),
    hosts: journal.paidHosts().map(({ host, firstPaidAt }) => ({
      host,
      firstPaidAt,
      inDay: total(parts.filter((part) => part.host === host)),
    })),
  }
}

function over(detail: LocalizedText): SottoError {
  return new SottoError('payment/over-limit', { detail })
}

function sats(msat: bigint): { readonly msat: string } {
  return { msat: msat.toString() }
}

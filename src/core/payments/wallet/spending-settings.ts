import { SottoError } from '../../../shared/errors.ts'
import { spendingLimitsSchema, type SpendingLimitsText } from '../../../shared/lightning.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { SpendingLimits } from '../index.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import type { Store } from '../../storage/index.ts'

type Settings = Store['settings']

const LIMITS = 'spending-limits'
const RESUMED_AT = 'payments-resumed-at'

/**
 * The default limits: an amount that a careful person would trust to a program. A single request costs some
 * hundred satoshis, a video some ten thousand.
 */
export const usualLimits: SpendingLimitsText = {
  perPayment: '20000000',
  perDay: '50000000',
  perHostAndDay: '50000000',
  automaticUpTo: '1000000',
}

/**
 * Returns the limits in msat, as text.
 * @throws {SottoError} store/damaged – they are unreadable, which permits nothing
 */
export function readSpendingLimits(settings: Settings): SpendingLimitsText {
  const stored = settings.get(LIMITS)
  if (stored === null) return usualLimits
  const limits = spendingLimitsSchema.safeParse(tryParseJson(stored))
  if (!limits.success)
    throw new SottoError('store/damaged', { detail: msg('The spending limits can’t be read.') })
  return limits.data
}

/**
 * Saves limits in msat, as text. Raising one weakens protection: the caller confirms it outside the window
 * first.
 * @throws {ZodError} another form
 */
export function writeSpendingLimits(settings: Settings, limits: SpendingLimitsText): void {
  settings.set(LIMITS, JSON.stringify(spendingLimitsSchema.parse(limits)))
}

/** Returns the limits in the form for core/payments. @throws {SottoError} store/damaged */
export function spendingLimits(settings: Settings): SpendingLimits {
  const { perPayment, perDay, perHostAndDay, automaticUpTo } = readSpendingLimits(settings)
  return {
    perPayment: BigInt(perPayment),
    perDay: BigInt(perDay),
    perHostAndDay: BigInt(perHostAndDay),
    automaticUpTo: BigInt(automaticUpTo),
  }
}

/** The time at which a person last resumed payments after a pause, in the settings (Unix ms; 0 for never). */
export function resumedAtIn(settings: Settings): { read(): number; write(at: number): void } {
  return {
    read() {
      // eslint-disable-next-line no-restricted-syntax -- a time
      const at = Number(settings.get(RESUMED_AT) ?? '0')
      return Number.isSafeInteger(at) ? at : 0
    },
    write: (at) => settings.set(RESUMED_AT, String(Math.trunc(at))),
  }
}

import { t } from '@lingui/core/macro'
import type { TopupMethod } from '../../../../shared/topup.ts'
import { withoutTrailing } from '../../../../shared/without-trailing.ts'
import { formatAmount, type Currency } from './topup-words.ts'

type Limits = TopupMethod['currencies'][number]

/** The decimal places of each currency. */
const places: Readonly<Record<Currency, number>> = { USD: 2, BTC: 8, SATS: 0 }
const examples: Readonly<Record<Currency, string>> = {
  get USD() {
    return t`Enter an amount in dollars, such as 5.00.`
  },
  get BTC() {
    return t`Enter an amount in bitcoin, such as 0.0005.`
  },
  get SATS() {
    return t`Enter whole satoshis, such as 5000.`
  },
}
const UNITS = 8

export type ReadAmount =
  | { readonly amount: string; readonly fault?: undefined }
  /** Neither right nor wrong: nothing was typed. */
  | { readonly amount?: undefined; readonly fault?: string }

/** The typed amount in the contract's format, or its fault as a sentence. */
export function readAmount(text: string, limits: Limits): ReadAmount {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return {}
  const { currency, min, max } = limits
  const match = /^(\d{0,12})(?:\.(\d*))?$/.exec(typed)
  if (!match || typed === '.') return { fault: examples[currency] }
  const whole = (match[1] ?? '').replace(/^0+(?=\d)/, '') || '0'
  const part = withoutTrailing('0', match[2] ?? '')
  if (part.length > places[currency])
    return {
      fault:
        currency === 'SATS'
          ? t`Enter a whole number of satoshis.`
          : t`Use at most ${places[currency]} decimal places.`,
    }
  const amount = part ? `${whole}.${part}` : whole
  if (units(amount) === 0n)
    return {
      fault: min === undefined ? t`Enter more than 0.` : t`Enter ${formatAmount(min, currency)} or more.`,
    }
  if (min !== undefined && units(amount) < units(min))
    return { fault: t`Enter ${formatAmount(min, currency)} or more.` }
  if (max !== undefined && units(amount) > units(max))
    return { fault: t`Enter ${formatAmount(max, currency)} or less.` }
  return { amount }
}

/** The limits of the service as text. */
export function limitWords({ currency, min, max }: Limits): string {
  if (min !== undefined && max !== undefined)
    return t`${formatAmount(min, currency)} to ${formatAmount(max, currency)}`
  if (min !== undefined) return t`Minimum ${formatAmount(min, currency)}`
  return max === undefined ? t`No limits reported` : t`Maximum ${formatAmount(max, currency)}`
}

/** The currency of a method: the chosen one if the method accepts it, else dollars, else the method's first. */
export function currencyOf(method: TopupMethod, chosen: Currency): Limits | undefined {
  const by = (currency: Currency) => method.currencies.find((each) => each.currency === currency)
  return by(chosen) ?? by('USD') ?? method.currencies[0]
}

/**
 * Converts to hundred-millionths, in which all three currencies have whole numbers. Finer digits of a limit
 * are ignored.
 */
function units(decimal: string): bigint {
  const [whole = '0', part = ''] = decimal.split('.')
  return BigInt(whole + part.padEnd(UNITS, '0').slice(0, UNITS))
}

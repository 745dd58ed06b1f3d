import { SottoError } from '../../../shared/errors.ts'
import { msg, type LocalizedText } from '../../../shared/localized-text.ts'
import { topupMethodNames, type TopupMethod } from '../../../shared/topup.ts'
import { withoutTrailing } from '../../../shared/without-trailing.ts'
import { topupCurrencies } from '../../gateway/service/account/topup-invoice.ts'
import type { PaymentMethod } from '../../gateway/service/account/read/payment-methods.ts'
import type { Asked } from './invoice-check.ts'

/** More places than any amount has on either side of the point. */
const PLACES = 40

/** Compares two decimal texts: less than 0, 0, or more than 0. Neither is negative or has an exponent. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [scaled(one), scaled(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole === '' ? '0' : whole}${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`)
}

interface Limits {
  readonly min: string | undefined
  readonly max: string | undefined
}

/** The decimal places of each currency. */
const places = { SATS: 0, BTC: 8, USD: 2 } as const

/** Returns the service's methods that Sotto knows, in the service's order. */
export function knownMethods(methods: readonly PaymentMethod[]): TopupMethod[] {
  return methods.flatMap(({ method, displayName, currencies, limits }) => {
    const name = topupMethodNames.find((known) => known === method)
    if (!name) return []
    const known = topupCurrencies.filter((currency) => currencies.includes(currency))
    return [
      {
        method: name,
        displayName,
        currencies: known.map((currency) => {
          const { min, max } = limits[currency] ?? {}
          return { currency, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
        }),
      },
    ]
  })
}

/**
 * Returns the amount as a JSON number whose shortest text equals the amount.
 * @throws {SottoError} `topup/amount-out-of-range` – outside the service's current limits, or finer than the
 * currency
 */
export function amountToAsk({ method, amount, currency }: Asked, methods: readonly TopupMethod[]): number {
  const limits = methods
    .find((known) => known.method === method)
    ?.currencies.find((known) => known.currency === currency)
  if (!limits)
    throw new SottoError('topup/amount-out-of-range', {
      detail: msg('The service doesn’t accept this currency with this payment method.'),
    })
  const { min, max } = limits
  // eslint-disable-next-line no-restricted-syntax -- JSON carries a number; whether it is exactly this one is checked below
  const number = Number(amount)
  const fraction = amount.split('.')[1] ?? ''
  // eslint-disable-next-line no-restricted-syntax -- This text is compared with the amount's.
  const rounded = number.toFixed(places[currency])
  const whole =
    withoutTrailing('0', fraction).length <= places[currency] &&
    number > 0 &&
    compareDecimals(rounded, amount) === 0
  const within =
    (min === undefined || compareDecimals(amount, min) >= 0) &&
    (max === undefined || compareDecimals(amount, max) <= 0)
  if (whole && within) return number
  throw new SottoError('topup/amount-out-of-range', {
    param: 'amount',
    detail: whole
      ? boundsOf({ min, max }, currency)
      : msg('{currency} allows at most {places, plural, one {# decimal place} other {# decimal places}}.', {
          currency,
          places: places[currency],
        }),
  })
}

function boundsOf({ min, max }: Limits, currency: string): LocalizedText {
  if (min === undefined)
    return max === undefined ? [] : msg('The maximum is {max} {currency}.', { max, currency })
  return max === undefined
    ? msg('The minimum is {min} {currency}.', { min, currency })
    : msg('The allowed range is {min} to {max} {currency}.', { min, max, currency })
}

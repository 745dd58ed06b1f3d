import { decimalNumber, formatDecimal } from './format-count.ts'
import { decimalUsd, PICO_DIGITS } from './money.ts'
import { withoutTrailing } from './without-trailing.ts'

/**
 * How exactly an amount in US dollars is written. No style shows "$0.00" for an amount that is not zero. All but `exact` and
 * `recorded` write whole cents, and below ten cents two significant digits ("$0.015").
 *
 * - `brief`: "<$0.01" below a cent. For an estimate whose exact value doesn't matter.
 * - `compared`: "0.08¢" below a cent. For amounts that aren't charged: estimates, limits, the rest of a budget.
 * - `price`: four significant digits below ten dollars ("$0.125"), and below a cent as `compared`. For a price per unit.
 * - `exact`: to the last digit, always in dollars. For details and tooltips.
 * - `recorded`: to the last digit, and below a cent in cents ("0.0812¢"). For money that was charged, and sums of it.
 */
export type UsdStyle = 'brief' | 'compared' | 'price' | 'exact' | 'recorded'

/**
 * `up` never shows less than the amount, which suits costs and bounds; `down` never shows more, which suits what is left;
 * `nearest` suits an expected cost.
 */
export type UsdRounding = 'up' | 'down' | 'nearest'

export interface UsdFormat {
  readonly style?: UsdStyle
  readonly round?: UsdRounding
}

/** Pico-USD. */
export const CENT = 10n ** BigInt(PICO_DIGITS - 2)

const SIGNIFICANT_DIGITS = 2
const PRICE_DIGITS = 4

/**
 * Formats an amount in the style of the language.
 *
 * @param picoUsd pico-USD in decimal text
 * @param locale BCP 47
 * @returns "$1,234.50", "$0.015", "0.08¢" or "<$0.01", by the style; "$0.00" only for zero
 * @throws {SyntaxError} when `picoUsd` isn't an integer
 */
export function formatUsd(
  picoUsd: string,
  locale = 'en',
  { style = 'compared', round = 'up' }: UsdFormat = {},
): string {
  const amount = BigInt(picoUsd)
  if (style === 'exact' || amount === 0n) return dollars(amount, locale)
  const size = magnitude(amount)
  if (style === 'recorded') return size < CENT ? cents(amount, locale) : dollars(amount, locale)
  if (style === 'brief' && size < CENT)
    return amount > 0n ? `<${dollars(CENT, locale)}` : `>${dollars(-CENT, locale)}`
  const shown = rounded(amount, style === 'price' && size >= CENT ? PRICE_DIGITS : SIGNIFICANT_DIGITS, round)
  // An amount that rounds up to a whole cent is formatted as a cent.
  return magnitude(shown) < CENT ? cents(shown, locale) : dollars(shown, locale)
}

/**
 * Formats money that was charged, or a sum of it: exactly, because a record is never rounded. Estimates and
 * limits use {@link formatUsd}.
 *
 * @param picoUsd pico-USD in decimal text
 * @param locale BCP 47
 * @returns "$0.30", "$0.08155602", "0.0812¢"; "$0.00" only for zero
 * @throws {SyntaxError} when `picoUsd` isn't an integer
 */
export function formatRecordedUsd(picoUsd: string, locale = 'en'): string {
  return formatUsd(picoUsd, locale, { style: 'recorded' })
}

/** The formats of a cost before it's known: the expected cost first, and the range after it. */
export type CostShape =
  | { readonly shape: 'one'; readonly cost: string }
  /** "$0.02 (up to $0.05)". */
  | { readonly shape: 'expected'; readonly cost: string; readonly most: string }
  /** "up to $0.05". */
  | { readonly shape: 'bound'; readonly most: string }
  /** "$0.02 – $0.05". */
  | { readonly shape: 'range'; readonly range: string }

/** Pico-USD in decimal text. */
export interface CostBounds {
  readonly least: string
  readonly most: string
  /** The average cost, if it's known. */
  readonly expected?: string
}

/**
 * Chooses how an estimate is written; the words around the amounts are the caller's, in its language. With an expected
 * cost that comes first, and the most behind it. Without one it is a range, or only its upper end when the lower end is
 * below a cent, which tells a reader nothing. Two amounts that look the same are written once.
 */
export function costShape({ least, most, expected }: CostBounds, locale = 'en'): CostShape {
  const upper = formatUsd(most, locale, { style: 'brief' })
  if (BigInt(least) >= BigInt(most) || BigInt(most) < CENT) return { shape: 'one', cost: upper }
  if (expected !== undefined && BigInt(expected) < BigInt(most)) {
    const cost = formatUsd(expected, locale, { style: 'brief', round: 'nearest' })
    return cost === upper ? { shape: 'one', cost } : { shape: 'expected', cost, most: upper }
  }
  if (BigInt(least) < CENT) return { shape: 'bound', most: upper }
  const [low, high] = [
    rounded(BigInt(least), SIGNIFICANT_DIGITS, 'down'),
    rounded(BigInt(most), SIGNIFICANT_DIGITS, 'up'),
  ]
  return {
    shape: 'range',
    range: dollarFormat(locale).formatRange(decimalNumber(decimalUsd(low)), decimalNumber(decimalUsd(high))),
  }
}

const MSAT_DIGITS = 3

/** Msat in decimal text as satoshis in decimal text, exactly: "53250" -> "53.25". */
export function decimalSats(msat: string): string {
  const amount = BigInt(msat)
  const digits = magnitude(amount)
    .toString()
    .padStart(MSAT_DIGITS + 1, '0')
  const part = withoutTrailing('0', digits.slice(-MSAT_DIGITS))
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -MSAT_DIGITS)}${part === '' ? '' : `.${part}`}`
}

/**
 * Formats msat in decimal text: "1,234 sats", "1 sat", "0.25 sats". Exact, because the user pays this
 * amount.
 */
export function formatSats(msat: string, locale = 'en'): string {
  return formatDecimalSats(decimalSats(msat), locale)
}

/** Satoshis in decimal text, which may be finer than a msat. */
export function formatDecimalSats(sats: string, locale = 'en'): string {
  return `${formatDecimal(sats, locale)} ${/^0*1(?:\.0*)?$/.test(sats) ? 'sat' : 'sats'}`
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

/** To so many significant digits, and never coarser than cents. */
function rounded(amount: bigint, significant: number, round: UsdRounding): bigint {
  const size = magnitude(amount)
  const fine = 10n ** BigInt(Math.max(0, size.toString().length - significant))
  const step = fine < CENT ? fine : CENT
  const outward = round === 'nearest' ? step / 2n : (round === 'up') === amount > 0n ? step - 1n : 0n
  const shown = ((size + outward) / step) * step
  return amount < 0n ? -shown : shown
}

const dollarFormats = new Map<string, Intl.NumberFormat>()
const centFormats = new Map<string, Intl.NumberFormat>()

/** Cached, because creating a formatter takes longer than using it. */
function dollarFormat(locale: string): Intl.NumberFormat {
  const format =
    dollarFormats.get(locale) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: 20,
    })
  dollarFormats.set(locale, format)
  return format
}

function dollars(amount: bigint, locale: string): string {
  return dollarFormat(locale)
    .format(decimalNumber(decimalUsd(amount)))
    .replace('-', '−')
}

/** A cent is a hundredth of a dollar, so that a language sets "¢" as it sets "%": "0.08¢", "0,08 ¢". */
function cents(amount: bigint, locale: string): string {
  const format =
    centFormats.get(locale) ?? new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 20 })
  centFormats.set(locale, format)
  const parts = format.formatToParts(decimalNumber(decimalUsd(amount)))
  return parts
    .map(({ type, value }) => (type === 'percentSign' ? '¢' : value))
    .join('')
    .replace('-', '−')
}

import { withoutTrailing } from '../../../shared/without-trailing.ts'
import { perLocale } from '../language/format-locale.ts'

const PICO_DIGITS = 12

/** Pico-USD in decimal text as dollars in decimal text, exactly: "1500000000" -> "0.0015". */
export function exactUsd(pico: string): string {
  const negative = pico.startsWith('-')
  const digits = (negative ? pico.slice(1) : pico).padStart(PICO_DIGITS + 1, '0')
  const whole = digits.slice(0, -PICO_DIGITS).replace(/^0+(?=\d)/, '')
  const part = withoutTrailing('0', digits.slice(-PICO_DIGITS))
  return `${negative ? '-' : ''}${whole}${part ? `.${part}` : ''}`
}

/**
 * For reading: at least cents, and below ten cents as many places as two significant digits need. Rounds up, so that
 * what is shown is never less than what is meant. "0.0015" -> "$0.0015", "0.00012345" -> "$0.00013", "12.341" -> "$12.35".
 */
export function formatUsd(pico: string): string {
  const value = BigInt(pico)
  const size = value < 0n ? -value : value
  const places = size === 0n || size >= 10n ** 11n ? 2 : Math.min(PICO_DIGITS, PICO_DIGITS - String(size).length + 2)
  const unit = 10n ** BigInt(PICO_DIGITS - places)
  const rounded = (size + unit - 1n) / unit
  return formatDollars(exactUsd(String((value < 0n ? -rounded : rounded) * unit)))
}

/** Pico-USD as dollars, exactly: "1500000000" -> "$0.0015". */
export function formatExactUsd(pico: string): string {
  return formatDollars(exactUsd(pico))
}

const dollars = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', minimumFractionDigits: 2, maximumFractionDigits: 20 }))

function isNumber(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}

/** Dollars in decimal text as the language writes them, to the last digit and with cents: "1234.5" -> "$1,234.50". */
export function formatDollars(decimal: string): string {
  return isNumber(decimal) ? dollars().format(decimal).replace('-', '−') : decimal
}

/** `perMillion` pico-USD for so many tokens, rounded up. */
export function priceOf(tokens: number, perMillion: string): bigint {
  return (BigInt(tokens) * BigInt(perMillion) + 999_999n) / 1_000_000n
}

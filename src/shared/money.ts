import { withoutTrailing } from './without-trailing.ts'

/** Pico-USD to the dollar: 10^12. */
const PICO = 12
/** As many as picoUsdSchema takes. */
const MAX_DIGITS = 30
const MAX_TEXT = 64
/** RFC 8259 section 6: a JSON number. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Pico-USD of a dollar amount, read from its decimal text: a number is read by its shortest one, which is what JSON carries.
 * Exact; what is finer than a pico-USD is rounded up, so that a price is never read as less than it is.
 * null for what is no JSON number or is beyond 30 digits of pico-USD.
 */
export function parseUsd(value: string | number): bigint | null {
  const text = String(value)
  if (text.length > MAX_TEXT) return null
  const match = NUMBER.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return 0n
  const magnitude = scale(digits, PICO + Number(exponent) - fraction.length, sign === '')
  if (magnitude === null) return null
  return sign === '' ? magnitude : -magnitude
}

/** digits × 10^power, to a whole number: up or down where it falls between two. */
function scale(digits: bigint, power: number, up: boolean): bigint | null {
  // Far beyond the text's 64 digits either way; also keeps 10^power small.
  if (power > MAX_DIGITS) return null
  if (power < -2 * MAX_TEXT) return up ? 1n : 0n
  const factor = 10n ** BigInt(Math.abs(power))
  const scaled = power >= 0 ? digits * factor : up ? divideUp(digits, factor) : digits / factor
  return scaled < 10n ** BigInt(MAX_DIGITS) ? scaled : null
}

/** Of two that are not negative. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** Below a dollar so many digits tell, and never fewer than the cents. */
const SIGNIFICANT_DIGITS = 3
const CENTS = 2

/**
 * Pico-USD (decimal text) as a person reads it: "$1,234.50", "$0.25", "$0.0000123". Rounded to the nearest, half up;
 * what is not nothing is never shown as $0.00. Throws SyntaxError for what is no integer.
 */
export function formatUsd(picoUsd: string): string {
  const amount = BigInt(picoUsd)
  const magnitude = amount < 0n ? -amount : amount
  const leadingZeros = Math.max(0, PICO - magnitude.toString().length)
  const decimals = magnitude === 0n || magnitude >= 10n ** BigInt(PICO) ? CENTS : Math.min(PICO, leadingZeros + SIGNIFICANT_DIGITS)
  const step = 10n ** BigInt(PICO - decimals)
  const rounded = ((magnitude + step / 2n) / step).toString().padStart(decimals + 1, '0')
  const whole = BigInt(rounded.slice(0, -decimals)).toLocaleString('en-US')
  const fraction = withoutTrailing('0', rounded.slice(-decimals)).padEnd(CENTS, '0')
  return `${amount < 0n ? '-' : ''}$${whole}.${fraction}`
}

/** Pico-USD as dollars in plain decimal text, to the last digit and without exponent: 1500000000n -> "0.0015". */
export function decimalUsd(picoUsd: bigint): string {
  const digits = (picoUsd < 0n ? -picoUsd : picoUsd).toString().padStart(PICO + 1, '0')
  const fraction = withoutTrailing('0', digits.slice(-PICO))
  return `${picoUsd < 0n ? '-' : ''}${digits.slice(0, -PICO)}${fraction === '' ? '' : `.${fraction}`}`
}

const SAT = 1000n

/** msat (decimal text) as satoshis that a person reads: "1,000 sat", "0.5 sat". Exact. */
export function formatSats(msat: string): string {
  const amount = BigInt(msat)
  const whole = (amount / SAT).toLocaleString('en-US')
  const fraction = withoutTrailing('0', (amount % SAT).toString().padStart(3, '0'))
  return `${whole}${fraction === '' ? '' : `.${fraction}`} sat`
}

import { withoutTrailing } from './without-trailing.ts'

/** A dollar is 10^12 pico-USD. */
export const PICO_DIGITS = 12
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
  const magnitude = scale(digits, PICO_DIGITS + Number(exponent) - fraction.length, sign === '')
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

/** Pico-USD as dollars in plain decimal text, to the last digit and without exponent: 1500000000n -> "0.0015". */
export function decimalUsd(picoUsd: bigint): string {
  const digits = (picoUsd < 0n ? -picoUsd : picoUsd).toString().padStart(PICO_DIGITS + 1, '0')
  const fraction = withoutTrailing('0', digits.slice(-PICO_DIGITS))
  return `${picoUsd < 0n ? '-' : ''}${digits.slice(0, -PICO_DIGITS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** What so many tokens cost in pico-USD, rounded up. `perMillion`: pico-USD for a million tokens, in decimal text. */
export function tokenCost(tokens: number, perMillion: string): bigint {
  return divideUp(BigInt(tokens) * BigInt(perMillion), 1_000_000n)
}

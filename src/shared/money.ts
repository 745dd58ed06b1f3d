import { withoutTrailing } from './without-trailing.ts'

/** A dollar is 10^12 pico-USD. */
export const PICO_DIGITS = 12
/** The limit of picoUsdSchema. */
const MAX_DIGITS = 30
const MAX_TEXT = 64
/** RFC 8259 section 6: a JSON number. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Reads a dollar amount from its decimal text. A number is read by its shortest text, which is the one that JSON carries.
 * Digits below a pico-USD are the float noise of a sender (0.30000000000000004), so they are rounded half to even.
 *
 * @returns pico-USD, or null for a text that isn't a JSON number or an amount above 30 digits of pico-USD
 */
export function parseUsd(value: string | number): bigint | null {
  const text = String(value)
  if (text.length > MAX_TEXT) return null
  const match = NUMBER.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return 0n
  const magnitude = scale(digits, PICO_DIGITS + Number(exponent) - fraction.length)
  if (magnitude === null) return null
  return sign === '' ? magnitude : -magnitude
}

/** digits × 10^power as an integer, rounded half to even. */
function scale(digits: bigint, power: number): bigint | null {
  // Outside these bounds the result is too large or zero. They also keep 10^power small.
  if (power > MAX_DIGITS) return null
  if (power < -2 * MAX_TEXT) return 0n
  const factor = 10n ** BigInt(Math.abs(power))
  const scaled = power >= 0 ? digits * factor : divideHalfEven(digits, factor)
  return scaled < 10n ** BigInt(MAX_DIGITS) ? scaled : null
}

/** Both are positive. A quotient halfway between two integers becomes the even one. */
function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const [quotient, twice] = [dividend / divisor, 2n * (dividend % divisor)]
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient
}

/** Divides and rounds up. Neither number may be negative. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** Pico-USD as dollars in plain decimal text, to the last digit and without exponent: 1500000000n -> "0.0015". */
export function decimalUsd(picoUsd: bigint): string {
  const digits = (picoUsd < 0n ? -picoUsd : picoUsd).toString().padStart(PICO_DIGITS + 1, '0')
  const fraction = withoutTrailing('0', digits.slice(-PICO_DIGITS))
  return `${picoUsd < 0n ? '-' : ''}${digits.slice(0, -PICO_DIGITS)}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * The cost of these tokens in pico-USD, rounded up. `perMillion`: pico-USD for a million tokens, in decimal
 * text.
 */
export function tokenCost(tokens: number, perMillion: string): bigint {
  return divideUp(BigInt(tokens) * BigInt(perMillion), 1_000_000n)
}

/** Sums amounts in pico-USD decimal text, exactly. Amounts that are absent count as nothing. */
export function sumPicoUsd(amounts: Iterable<string | undefined>): string {
  let sum = 0n
  for (const amount of amounts) sum += BigInt(amount ?? 0)
  return sum.toString()
}

const PICO = 12
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
  const whole = rounded.slice(0, -decimals).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = rounded.slice(-decimals).replace(/0+$/, '').padEnd(CENTS, '0')
  return `${amount < 0n ? '-' : ''}$${whole}.${fraction}`
}

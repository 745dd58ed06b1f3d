import { formatExactUsd } from '../../ui/format/money.ts'

const PICO_DIGITS = 12
const CENT = 10n ** 10n
const TEN_CENTS = 10n * CENT

/**
 * A balance for reading: to the cent, and below ten cents to two significant digits. Rounded towards less, so that it is
 * never shown as more than is there: "4.219" -> "$4.21", "0.00457" -> "$0.0045", "-0.311" -> "−$0.32".
 *
 * @param pico pico-USD in decimal text
 */
export function formatBalance(pico: string): string {
  const value = BigInt(pico)
  const size = value < 0n ? -value : value
  const places = size === 0n || size >= TEN_CENTS ? 2 : Math.min(PICO_DIGITS, PICO_DIGITS - String(size).length + 2)
  const unit = 10n ** BigInt(PICO_DIGITS - places)
  const rounded = value < 0n ? (size + unit - 1n) / unit : size / unit
  return formatExactUsd(String((value < 0n ? -rounded : rounded) * unit))
}

export type BalanceStanding = 'enough' | 'low' | 'empty' | 'owing'

/** @param below pico-USD: what is less is low; undefined where that is not known */
export function standingOfBalance(pico: string, below: bigint | undefined): BalanceStanding {
  const value = BigInt(pico)
  if (value < 0n) return 'owing'
  if (value === 0n) return 'empty'
  return below !== undefined && value < below ? 'low' : 'enough'
}

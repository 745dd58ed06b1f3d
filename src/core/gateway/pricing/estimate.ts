import { divideUp } from '../../../shared/money.ts'

/**
 * The possible cost of a request by the price list, in pico-USD, rounded up. `most` is a bound as far as the
 * prices are listed. If the list gives no bound, the estimate is `unknown` and never 0.
 */
export interface Estimate {
  readonly least: bigint
  readonly most: bigint
}

export type MaybeEstimate = Estimate | 'unknown'

/** Returns the range of all estimates; unknown without one, or if one is unknown. */
export function together(estimates: readonly MaybeEstimate[]): MaybeEstimate {
  const known = estimates.filter((one) => one !== 'unknown')
  const [first] = known
  if (!first || known.length < estimates.length) return 'unknown'
  return {
    least: known.reduce((least, one) => (one.least < least ? one.least : least), first.least),
    most: known.reduce((most, one) => (one.most > most ? one.most : most), first.most),
  }
}

/** Returns the price of `units` if `unit` of them cost `amount`, rounded up. */
export function share(amount: bigint, units: bigint, unit: bigint): bigint {
  return divideUp(amount * units, unit)
}

/**
 * Parses a listed price: decimal text, or undefined if it isn't listed. With a negative price some lists
 * state that it depends.
 */
export function listedPrice(text: string | undefined): bigint | undefined {
  const amount = text === undefined ? undefined : BigInt(text)
  return amount === undefined || amount < 0n ? undefined : amount
}

/**
 * Whether the value is a count. The limit bounds the size of products, because an attacker may control the
 * value.
 */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

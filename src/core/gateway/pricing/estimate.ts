import { divideUp } from '../../../shared/money.ts'

/**
 * What a request can cost by the listing, in pico-USD, each rounded up. `most` is a bound as far as the listing goes. What
 * no listing bounds is `unknown`, and never 0.
 */
export interface Estimate {
  readonly least: bigint
  readonly most: bigint
}

export type MaybeEstimate = Estimate | 'unknown'

/** `amount` for each `unit`, of so many. */
export function share(amount: bigint, units: bigint, unit: bigint): bigint {
  return divideUp(amount * units, unit)
}

/** A listed price: decimal text, or nothing where it is not listed. A negative one is how some listings say that it depends. */
export function listedPrice(text: string | undefined): bigint | undefined {
  const amount = text === undefined ? undefined : BigInt(text)
  return amount === undefined || amount < 0n ? undefined : amount
}

/** A number of things that can be counted, bounded so that no product of a hostile one takes long. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

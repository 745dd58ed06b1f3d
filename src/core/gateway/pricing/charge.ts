import type { MaybeEstimate } from './estimate.ts'

/** A cost above this many times the largest reserved amount is doubted. */
const DOUBTED_TIMES = 2n

/** The cost of an answer, and the amount that a budget is charged for it. In pico-USD. */
export interface Charge {
  /** The cost that the service states, otherwise the cost by the price list; null if neither is known. */
  readonly cost: bigint | null
  readonly stated: boolean
  /** By the price list; null if it isn't known. */
  readonly listed: bigint | null
  /** The cost is more than twice the reservation. Then the budget is charged only the reservation. */
  readonly doubted: boolean
  /** `unknown`: the reservation. */
  readonly charged: bigint | 'unknown'
}

/**
 * Returns the charge of an answer. If the service states a cost, that is the cost. Otherwise it's the price
 * by the list, and at least the least that the request can cost: an answer that reports no tokens isn't free.
 */
export function chargeOf({
  stated,
  listed,
  estimate,
}: {
  readonly stated: bigint | undefined
  readonly listed: bigint | null
  readonly estimate: MaybeEstimate
}): Charge {
  const least = estimate === 'unknown' ? 0n : estimate.least
  const byList = listed !== null && listed < least ? least : listed
  const cost = stated ?? byList
  const doubted = cost !== null && estimate !== 'unknown' && cost > DOUBTED_TIMES * estimate.most
  return {
    cost,
    stated: stated !== undefined,
    listed: byList,
    doubted,
    charged: cost === null || doubted ? 'unknown' : cost,
  }
}

import type { Receipt } from './receipt.ts'

/**
 * The cost of a request as far as it's known: as the service's history confirms it, otherwise as it was first stated.
 * @returns pico-USD in decimal text; undefined if it's unknown
 */
export function costOf({ confirmed, cost }: Pick<Receipt, 'confirmed' | 'cost'>): string | undefined {
  return confirmed?.cost ?? cost
}

/** The cost for sums, see {@link costOf}: a doubted cost counts as the highest estimate. */
export function summedCost(
  receipt: Pick<Receipt, 'confirmed' | 'cost' | 'costDoubted' | 'estimate'>,
): string | undefined {
  return receipt.costDoubted ? receipt.estimate?.most : costOf(receipt)
}

/** $0.001 in pico-USD. */
const NOTABLE_DIFFERENCE = 1_000_000_000n

/**
 * How much more the service charged than its price list states, in pico-USD; undefined if they agree within
 * 10 % or $0.001.
 */
export function costDifference({
  cost,
  listedCost,
}: Pick<Receipt, 'cost' | 'listedCost'>): bigint | undefined {
  if (cost === undefined || listedCost === undefined) return undefined
  const [listed, difference] = [BigInt(listedCost), BigInt(cost) - BigInt(listedCost)]
  const size = difference < 0n ? -difference : difference
  return size > NOTABLE_DIFFERENCE && size * 10n > listed ? difference : undefined
}

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

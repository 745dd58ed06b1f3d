import type { Receipt } from './receipt.ts'

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

import type { MaybeEstimate } from './estimate.ts'

/** Estimates a call of a data endpoint: the price of its entry. @param price pico-USD */
export function estimateData({ price }: { readonly price?: bigint | undefined }): MaybeEstimate {
  return price === undefined || price < 0n ? 'unknown' : { least: price, most: price }
}

import type { MaybeEstimate } from './estimate.ts'

/** A call of a data endpoint costs what its entry lists. @param price pico-USD */
export function estimateData({ price }: { readonly price?: bigint | undefined }): MaybeEstimate {
  return price === undefined || price < 0n ? 'unknown' : { least: price, most: price }
}

import type { Model } from '../../../shared/model.ts'
import { isCount, listedPrice, share, type MaybeEstimate } from './estimate.ts'

const LISTED_TOKENS = 1_000_000n
const MOST_BYTES_PER_TOKEN = 8
/** Tokens that mark the ends of a text. */
const MARKS_PER_INPUT = 4

/**
 * @param inputBytes UTF-8 bytes of each text. The model cuts or refuses a text beyond its context, so that it
 * can't cost more.
 */
export function estimateEmbeddings(model: Model, inputBytes: readonly number[]): MaybeEstimate {
  const price = listedPrice(model.inputPerMillion)
  if (price === undefined || inputBytes.length === 0 || !inputBytes.every(isCount)) return 'unknown'
  const context = model.contextLength ?? Infinity
  let [least, most] = [0n, 0n]
  for (const bytes of inputBytes) {
    least += BigInt(Math.min(Math.ceil(bytes / MOST_BYTES_PER_TOKEN), context))
    most += BigInt(Math.min(bytes + MARKS_PER_INPUT, context))
  }
  return { least: share(price, least, LISTED_TOKENS), most: share(price, most, LISTED_TOKENS) }
}

/** Calculates the price of these tokens by the price list, rounded up; null if no price is listed. */
export function embeddingsCost(model: Model, tokens: number): bigint | null {
  const price = listedPrice(model.inputPerMillion)
  return price === undefined || !isCount(tokens) ? null : share(price, BigInt(tokens), LISTED_TOKENS)
}

/** Estimates a call of a data endpoint: the price of its entry. @param price pico-USD */
export function estimateData({ price }: { readonly price?: bigint | undefined }): MaybeEstimate {
  return price === undefined || price < 0n ? 'unknown' : { least: price, most: price }
}

import type { AudioPrice } from '../../../shared/audio-price.ts'
import { isCount, listedPrice, share, type MaybeEstimate } from './estimate.ts'

/** Estimates speech by its characters. Returns `unknown` if the price list counts another unit. */
export function estimateSpeech(price: AudioPrice | undefined, characters: number): MaybeEstimate {
  const amount = listedPrice(price?.amount)
  const per = price?.per ?? 'thousand-characters'
  if (amount === undefined || !isCount(characters) || (per !== 'thousand-characters' && per !== 'character'))
    return 'unknown'
  const cost = share(amount, BigInt(characters), per === 'character' ? 1n : 1000n)
  return { least: cost, most: cost }
}

/**
 * Estimates a transcription by the recording's length. The least counts milliseconds; the most counts whole
 * minutes or seconds, whichever unit the price list has. Returns `unknown` if the length isn't known.
 */
export function estimateTranscription(
  price: AudioPrice | undefined,
  durationMs: number | undefined,
): MaybeEstimate {
  const amount = listedPrice(price?.amount)
  const per = price?.per ?? 'minute'
  if (
    amount === undefined ||
    durationMs === undefined ||
    !Number.isFinite(durationMs) ||
    durationMs <= 0 ||
    (per !== 'minute' && per !== 'second')
  )
    return 'unknown'
  const length = Math.ceil(durationMs)
  if (!isCount(length)) return 'unknown'
  const unit = per === 'minute' ? 60_000n : 1000n
  return { least: share(amount, BigInt(length), unit), most: amount * ((BigInt(length) + unit - 1n) / unit) }
}

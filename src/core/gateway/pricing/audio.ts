import type { AudioPrice } from '../../../shared/audio-price.ts'
import { isCount, listedPrice, share, type MaybeEstimate } from './estimate.ts'

/** Speech, by its characters. `unknown` where the listing counts something else. */
export function estimateSpeech(price: AudioPrice | undefined, characters: number): MaybeEstimate {
  const amount = listedPrice(price?.amount)
  const per = price?.per ?? 'thousand-characters'
  if (amount === undefined || !isCount(characters) || (per !== 'thousand-characters' && per !== 'character'))
    return 'unknown'
  const cost = share(amount, BigInt(characters), per === 'character' ? 1n : 1000n)
  return { least: cost, most: cost }
}

/**
 * A transcription, by the recording's length. The least is charged to the millisecond, the most by whole minutes or seconds,
 * as the listing counts them. `unknown` where the length is not known.
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

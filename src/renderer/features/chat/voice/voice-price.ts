import { t } from '@lingui/core/macro'
import type { VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { divideUp } from '../../../../shared/money.ts'
import { formatCost, formatPrice, formatUsd } from '../../../ui/format/money.ts'

type Listed = VoicePrices['listening'][number]

/** Pico-USD per minute of each possible transcription model; null if one of them isn't listed by time. */
function perMinute(listening: readonly Listed[], chosen: string | undefined): bigint[] | null {
  const asked = listening.filter(({ id }) => chosen === undefined || id === chosen)
  const prices = asked.map(({ price }) => {
    if (
      !price ||
      price.amount.startsWith('-') ||
      (price.per !== undefined && price.per !== 'minute' && price.per !== 'second')
    )
      return null
    return BigInt(price.amount) * (price.per === 'second' ? 60n : 1n)
  })
  return asked.length === 0 || prices.includes(null) ? null : prices.filter((price) => price !== null)
}

/** The cost of a minute of dictation, in words. */
export function perMinuteWords(listening: readonly Listed[], chosen: string | undefined): string {
  const prices = perMinute(listening, chosen)
  if (!prices) return t`Price not reported`
  const [least, most] = bounds(prices)
  const [low, high] = [formatPrice(String(least)), formatPrice(String(most))]
  return least === most ? t`${high} per minute` : t`${low} to ${high} per minute`
}

/** The cost of a recording of `ms` milliseconds, in words; undefined if it is unknown. */
export function recordedWords(
  listening: readonly Listed[],
  chosen: string | undefined,
  ms: number,
): string | undefined {
  const prices = perMinute(listening, chosen)
  if (!prices) return undefined
  const cost = formatUsd(String(divideUp(bounds(prices)[1] * BigInt(Math.ceil(ms)), 60_000n)))
  return t`about ${cost}`
}

function bounds(prices: readonly bigint[]): [bigint, bigint] {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return [sorted[0] ?? 0n, sorted.at(-1) ?? 0n]
}

/** An estimate of the core's, in words. */
export function estimateOf(estimate: { readonly least: string; readonly most: string } | undefined): string {
  if (!estimate) return t`Price not reported`
  return formatCost(estimate)
}

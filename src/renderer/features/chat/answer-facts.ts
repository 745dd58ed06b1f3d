import { plural, t } from '@lingui/core/macro'
import type { Receipt } from '../../../shared/receipt.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatDecimal, formatTokens } from '../../ui/format/number.ts'
import { formatLatency } from '../../ui/format/time.ts'

/**
 * Output tokens per second, from the first byte to the end. Undefined if the service reported no usage, or if the reply
 * was too short to measure.
 */
function speedOf({
  usage,
  firstByteMs,
  durationMs,
}: Pick<Receipt, 'usage' | 'firstByteMs' | 'durationMs'>): number | undefined {
  if (
    !usage ||
    usage.completion < 2 ||
    firstByteMs === undefined ||
    durationMs === undefined ||
    durationMs - firstByteMs < 1
  )
    return undefined
  return usage.completion / ((durationMs - firstByteMs) / 1000)
}

function costWords({
  cost: stated,
  confirmed,
  costDoubted,
}: Pick<Receipt, 'cost' | 'confirmed' | 'costDoubted'>): string {
  const known = costOf({ cost: stated, confirmed })
  if (known === undefined) return t`cost not reported`
  const cost = formatRecordedUsd(known)
  if (confirmed) return t`${cost}, confirmed by the service’s history`
  return costDoubted ? t`${cost}, unconfirmed` : cost
}

export function tokenWords({ usage }: Pick<Receipt, 'usage'>): string {
  if (!usage) return t`tokens not reported`
  const tokens = formatTokens(usage.completion)
  return plural(usage.completion, { one: `${tokens} token`, other: `${tokens} tokens` })
}

export function speedWords(
  receipt: Pick<Receipt, 'usage' | 'firstByteMs' | 'durationMs'>,
): string | undefined {
  const speed = speedOf(receipt)
  if (speed === undefined) return undefined
  const rounded = formatDecimal(speed < 10 ? speed.toFixed(1) : String(Math.round(speed)))
  return t`${rounded} tokens/s`
}

/** The facts of a reply, for a quiet line below it. An unknown fact is shown as unknown or left out, never guessed. */
export function answerFacts(receipt: Receipt): string[] {
  const { firstByteMs } = receipt
  const latency = firstByteMs === undefined ? undefined : formatLatency(firstByteMs)
  return [
    costWords(receipt),
    tokenWords(receipt),
    speedWords(receipt),
    latency !== undefined ? t`first byte in ${latency}` : undefined,
  ].filter((fact) => fact !== undefined)
}

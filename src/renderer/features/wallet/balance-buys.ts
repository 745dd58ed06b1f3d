import type { Receipt } from '../../../shared/receipt.ts'
import { costOf } from '../../../shared/receipt-cost.ts'

/** The number of recent receipts of a kind in its average. */
const LAST = 20
const RECENT_MS = 30 * 86_400_000

export type AffordableKind =
  | 'private-replies'
  | 'replies'
  | 'images'
  | 'videos'
  | 'speech'
  | 'transcriptions'
  | 'embeddings'
  | 'lookups'

/** How many more requests of one kind a balance pays for, at the average cost of recent receipts. */
export interface AffordableItems {
  readonly kind: AffordableKind
  /** Rounded down to two significant digits: it is an estimate. */
  readonly count: bigint
}

const kinds: readonly { readonly kind: AffordableKind; readonly is: (receipt: Receipt) => boolean }[] = [
  {
    kind: 'private-replies',
    is: ({ path, privacy }) => path.endsWith('/chat/completions') && privacy === 'sealed',
  },
  {
    kind: 'replies',
    is: ({ path, privacy }) =>
      path.endsWith('/chat/completions') && (privacy === 'relayed' || privacy === 'forwarded'),
  },
  { kind: 'images', is: ({ path }) => path.includes('/v1/images/') },
  { kind: 'videos', is: ({ path }) => path.endsWith('/v1/videos') },
  { kind: 'speech', is: ({ path }) => path.endsWith('/v1/audio/speech') },
  { kind: 'transcriptions', is: ({ path }) => path.endsWith('/v1/audio/transcriptions') },
  { kind: 'embeddings', is: ({ path }) => path.endsWith('/v1/embeddings') },
  { kind: 'lookups', is: ({ path }) => path.includes('/v1/data') },
]

/**
 * What a balance buys by the average cost of recent receipts, by kind. The result omits a kind without recent
 * use or without a known cost. An empty balance buys nothing.
 *
 * @param picoUsd the balance, in decimal text
 * @param now Unix ms
 */
export function whatItBuys(picoUsd: string, receipts: readonly Receipt[], now: number): AffordableItems[] {
  const balance = BigInt(picoUsd)
  if (balance <= 0n) return []
  const recent = receipts
    .filter(({ at, outcome }) => outcome === 'complete' && now - at < RECENT_MS)
    .toSorted((a, b) => b.at - a.at)
  return kinds.flatMap(({ kind, is }) => {
    const costs = recent
      .filter(is)
      .slice(0, LAST)
      .flatMap((receipt) => {
        const cost = costOf(receipt)
        return cost === undefined ? [] : [BigInt(cost)]
      })
    const sum = costs.reduce((total, cost) => total + cost, 0n)
    if (sum <= 0n) return []
    const of = BigInt(costs.length)
    return [{ kind, count: twoDigits((balance * of) / sum) }]
  })
}

function twoDigits(count: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(count).length - 2))
  return (count / unit) * unit
}

import { plural, t } from '@lingui/core/macro'
import type { Passage } from '../../../../shared/knowledge.ts'
import type { Model } from '../../../../shared/model.ts'
import { tokenCost } from '../../../../shared/money.ts'
import { passageTokens, type PassagePlace } from '../../../../shared/passage-text.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { formatTokens } from '../../../ui/format/number.ts'
import { listedPrices } from '../estimate.ts'

/** Where a passage begins: its page, or else its line, and the heading above it. */
export function placeWords({ page, heading, line }: PassagePlace): string {
  const at = page === undefined ? t`line ${line}` : t`page ${page}`
  return heading === undefined ? at : t`“${heading}”, ${at}`
}

/** How many passages go with the question, their tokens, and the price of reading them once if it's listed. */
export function summaryWords(chosen: readonly Passage[], model: Model | undefined): string {
  if (chosen.length === 0) return t`No passage would be sent`
  const count = passageTokens(chosen)
  const tokens = formatTokens(count)
  const input = model && listedPrices(model)?.input
  if (input === undefined)
    return plural(chosen.length, {
      one: `# passage, about ${tokens} tokens, would be sent`,
      other: `# passages, about ${tokens} tokens, would be sent`,
    })
  const price = formatUsd(String(tokenCost(count, input)), { style: 'brief', round: 'nearest' })
  return plural(chosen.length, {
    one: `# passage, about ${tokens} tokens, ${price}, would be sent`,
    other: `# passages, about ${tokens} tokens, ${price}, would be sent`,
  })
}

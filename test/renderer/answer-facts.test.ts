import { expect, it } from 'vitest'
import { answerFacts } from '../../src/renderer/features/chat/answer-facts.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { receipt } from '../core/storage/examples.ts'

const costOf = (change: Partial<Receipt>): string | undefined =>
  answerFacts(receipt('r', { cost: '9000000000000', ...change }))[0]

it('a reply’s footer shows whether its cost is doubted, or confirmed by the history', () => {
  expect(costOf({})).toBe('$9.00')
  expect(costOf({ costDoubted: true })).toBe('$9.00, unconfirmed')
  expect(costOf({ confirmed: { cost: '4200000000', recordAt: 1 } })).toBe(
    '0.42¢, confirmed by the service’s history',
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeOf, chatCost } from '../../../../src/core/gateway/pricing/index.ts'
import { readUsage } from '../../../../src/core/gateway/answer/index.ts'
import type { Model } from '../../../../src/shared/model.ts'
import { costDifference } from '../../../../src/shared/receipt-cost.ts'

const model: Model = {
  id: 'm',
  name: 'M',
  private: false,
  inputPerMillion: '4220000000000',
  outputPerMillion: '21100000000000',
}
const estimate = { least: 100n, most: 1000n }

describe('the cost of an answer', () => {
  it('is the cost that the service states, next to the list price', () => {
    expect(chargeOf({ stated: 7n, listed: 500n, estimate })).toEqual({
      cost: 7n,
      stated: true,
      listed: 500n,
      doubted: false,
      charged: 7n,
    })
    expect(chargeOf({ stated: 0n, listed: null, estimate: 'unknown' })).toMatchObject({
      cost: 0n,
      charged: 0n,
    })
  })
  it('is at least the minimum cost of the request if none is stated, even without tokens', () => {
    expect(chargeOf({ stated: undefined, listed: 0n, estimate })).toMatchObject({
      cost: 100n,
      charged: 100n,
      stated: false,
    })
  })
  it('is unknown if neither cost is known, and the reservation is charged', () => {
    expect(chargeOf({ stated: undefined, listed: null, estimate })).toMatchObject({
      cost: null,
      charged: 'unknown',
    })
  })
  it('is doubted above twice the reservation, and then only the reservation is charged', () => {
    expect(chargeOf({ stated: undefined, listed: 2000n, estimate })).toMatchObject({
      doubted: false,
      charged: 2000n,
    })
    expect(chargeOf({ stated: undefined, listed: 2001n, estimate })).toMatchObject({
      cost: 2001n,
      doubted: true,
      charged: 'unknown',
    })
    expect(chargeOf({ stated: 2001n, listed: 500n, estimate })).toMatchObject({
      cost: 2001n,
      doubted: true,
      charged: 'unknown',
    })
  })
  it('of any usage is between the minimum and twice the reservation, or is doubted', () => {
    const count = fc.oneof(
      fc.nat(),
      fc.maxSafeNat(),
      fc.constant(null),
      fc.constant(undefined),
      fc.constant('12'),
      fc.double(),
      fc.string(),
    )
    const details = fc.option(
      fc.record(
        { cached_tokens: count, reasoning_tokens: count, audio_tokens: count, image_tokens: count },
        { requiredKeys: [] },
      ),
    )
    const usage = fc.record(
      {
        prompt_tokens: count,
        completion_tokens: count,
        total_tokens: count,
        prompt_tokens_details: details,
        completion_tokens_details: details,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(usage, fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 15n), (value, least, more) => {
        const read = readUsage(value)
        const bounds = { least, most: least + more }
        const { charged, doubted } = chargeOf({
          stated: undefined,
          listed: read ? chatCost(model, read) : null,
          estimate: bounds,
        })
        const amount = charged === 'unknown' ? bounds.most : charged
        expect(amount >= least && amount <= 2n * bounds.most).toBe(true)
        if (doubted) expect(amount).toBe(bounds.most)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the list price of a usage', () => {
  it('includes tokens beyond the prompt and the completion, at the completion price', () => {
    const plain = chatCost(model, { prompt: 10, completion: 20 })!
    const perToken = 21_100_000n
    expect(chatCost(model, { prompt: 10, completion: 20, total: 1030, reasoning: 1000 })).toBe(
      plain + 1000n * perToken,
    )
    expect(chatCost(model, { prompt: 10, completion: 20, reasoning: 1000 })).toBe(plain + 1000n * perToken)
    expect(chatCost(model, { prompt: 10, completion: 20, media: 40 })).toBe(plain + 40n * perToken)
    // Part of the prompt or the completion already.
    expect(
      chatCost(model, { prompt: 10, completion: 20, total: 30, cached: 9, reasoning: 15, media: 5 }),
    ).toBe(plain)
  })
})

describe('a difference from the list price', () => {
  it('is reported above 10 % and $0.001', () => {
    expect(costDifference({ cost: '2000000000', listedCost: '1000000000' })).toBeUndefined()
    expect(costDifference({ cost: '2000000001', listedCost: '1000000000' })).toBe(1_000_000_001n)
    expect(costDifference({ cost: '0', listedCost: '5000000000' })).toBe(-5_000_000_000n)
    expect(costDifference({ cost: '109000000000', listedCost: '100000000000' })).toBeUndefined()
    expect(costDifference({ cost: '5' })).toBeUndefined()
  })
})

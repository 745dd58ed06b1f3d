import { describe, expect, it } from 'vitest'
import { hasKnownPrices } from '../../../../src/core/gateway/service/inference/listed-prices.ts'
import { readMediaPrice } from '../../../../src/core/gateway/service/inference/media-price.ts'

const listed = { input_per_1M_tokens: '4.22', output_per_1M_tokens: '21.1' }

describe('listed token prices', () => {
  it.each([
    [{}],
    [{ currency: 'usd' }],
    [{ currency: 'USD', unit: 'per 1M tokens' }],
    [{ unit: 'million' }],
    [{ average_cost: '0.01', prompts_per_dollar: '90', web_search: '0.01' }],
    [{ input_cache_read: '0.1' }],
    [{ request: '0' }],
    [{ note: 'beta' }],
    [{ image: null, extra: {} }],
  ])('are known with %j', (more) => {
    expect(hasKnownPrices({ ...listed, ...more })).toBe(true)
  })
  it.each([
    [{ currency: 'EUR' }],
    [{ currency: 7 }],
    [{ unit: 'per 1K tokens' }],
    [{ unit: 5 }],
    [{ request: '0.01' }],
    [{ internal_reasoning: '3' }],
    [{ surcharge: 0.5 }],
    [{ tiers: [{ above: '200000' }] }],
    [{ night: { input_per_1M_tokens: '9' } }],
  ])('are unknown with %j', (more) => {
    expect(hasKnownPrices({ ...listed, ...more })).toBe(false)
  })
})

describe('a listed media price', () => {
  it('is unknown with an amount that isn’t known here, as with an object', () => {
    expect(readMediaPrice({ base_price: '0.02' })).toMatchObject({ base: '20000000000' })
    expect(readMediaPrice({ base_price: '0.02', currency: 'usd', surcharge: '0' })).toMatchObject({
      base: '20000000000',
    })
    expect(readMediaPrice({ base_price: '0.02', surcharge: '0.01' })).toBeUndefined()
    expect(readMediaPrice({ base_price: '0.02', surcharge: { night: '0.01' } })).toBeUndefined()
  })
})

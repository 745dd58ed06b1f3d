import { describe, expect, it } from 'vitest'
import { readHeaderCost, readStatedCost, readUsage } from '../../../../src/core/gateway/answer/index.ts'

const costOf = (value: string): bigint | undefined => readStatedCost(value)

describe('token counts', () => {
  it('are read by every name, as numbers or as text', () => {
    expect(readUsage({ prompt_tokens: 3, completion_tokens: '4' })).toEqual({ prompt: 3, completion: 4 })
    expect(
      readUsage({ input_tokens: 3, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } }),
    ).toEqual({ prompt: 3, completion: 4, cached: 2 })
    expect(readUsage({ total_tokens: 9 })).toEqual({ prompt: 0, completion: 0, total: 9 })
  })
  it('include what was cached, reasoned, heard and seen', () => {
    expect(
      readUsage({
        prompt_tokens: 1000,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 990, audio_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 12, image_tokens: 1 },
      }),
    ).toEqual({ prompt: 1000, completion: 20, cached: 990, reasoning: 12, media: 6 })
    expect(
      readUsage({ prompt_tokens: 5, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 99 } }),
    ).toMatchObject({ cached: 5 })
    expect(
      readUsage({
        prompt_tokens: 5,
        completion_tokens: 0,
        prompt_tokens_details: null,
        completion_tokens_details: null,
        total_tokens: null,
      }),
    ).toEqual({ prompt: 5, completion: 0 })
  })
  it.each([
    [undefined],
    [null],
    ['x'],
    [{}],
    [{ prompt_tokens: -1, completion_tokens: 1 }],
    [{ prompt_tokens: 1.5, completion_tokens: 1 }],
    [{ prompt_tokens: 1, completion_tokens: 'many' }],
    [{ prompt_tokens: {} }],
  ])('aren’t read from %j', (value) => {
    expect(readUsage(value)).toBeUndefined()
  })
})

describe('a stated cost', () => {
  it('is read digit for digit', () => {
    expect(costOf('{"usage":{"prompt_tokens":1000,"cost":0.0000123}}')).toBe(12_300_000n)
    expect(costOf('{"usage":{"cost":"1.23e-05"}}')).toBe(12_300_000n)
    expect(costOf('{"usage":{"cost":0}}')).toBe(0n)
  })
  it('is found wherever services write it', () => {
    for (const text of [
      '{"cost":0.5}',
      '{"usage":{},"cost":"0.5"}',
      '{"usage":{"cost_details":{"total_cost":0.5}}}',
      '{"usage":{"cost":null,"cost_details":{"upstream_inference_cost":0.5}}}',
      '{"cost_details":{"total_cost":0.5}}',
      '{"usage":{"cost":0.5,"currency":"usd"}}',
    ])
      expect(costOf(text)).toBe(500_000_000_000n)
  })
  it.each([
    ['{"usage":{"cost":-1}}'],
    ['{"usage":{"cost":"free"}}'],
    ['{"usage":{"cost":0.5,"currency":"EUR"}}'],
    ['{"usage":{}}'],
    ['{"choices":[{"delta":{"content":"\\"cost\\":5"}}]}'],
    ['not json "cost"'],
    ['[{"cost":1}]'],
  ])('isn’t read from %s', (text) => {
    expect(costOf(text)).toBeUndefined()
  })
  it('is read from the headers of a sealed answer', () => {
    const header = (name: string, value: string) =>
      readHeaderCost({ headers: { get: (asked) => (asked === name ? value : null) } })
    expect(
      header('x-tinfoil-usage-metrics', 'prompt=73,completion=12,model=glm-5-3,cost_usd=0.00001815'),
    ).toBe(18_150_000n)
    expect(header('x-private-usage-metrics', 'cost_usd=1.8e-5')).toBe(18_000_000n)
    for (const value of ['', 'cost_usd=', 'cost_usd=-1', 'total_cost_usd=5', 'cost_usd=1.2.3'])
      expect(header('x-tinfoil-usage-metrics', value)).toBeUndefined()
  })
  it('is read from the trailers if no header has it', () => {
    const fields = (value: string | null) => ({
      get: (asked: string) => (asked === 'x-tinfoil-usage-metrics' ? value : null),
    })
    expect(readHeaderCost({ headers: fields(null), trailers: fields('cost_usd=0.5') })).toBe(500_000_000_000n)
    expect(readHeaderCost({ headers: fields('cost_usd=0.25'), trailers: fields('cost_usd=0.5') })).toBe(
      250_000_000_000n,
    )
    for (const trailers of [undefined, fields(null), fields('cost_usd=free')])
      expect(readHeaderCost({ headers: fields(null), trailers })).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateChatRequest } from '../../../src/core/relay/estimate.ts'
import type { Model } from '../../../src/shared/model.ts'
import type { JsonObject } from '../../../src/shared/strict-json.ts'

/** One pico-USD for a token of either kind. */
const model: Model = { id: 'm', name: 'M', private: false, contextLength: 1_000_000, inputPerMillion: '1000000', outputPerMillion: '1000000' }
const most = (body: JsonObject) => {
  const estimate = estimateChatRequest(model, { model: 'm', max_tokens: 10, ...body })
  return estimate === 'unknown' ? estimate : Number(estimate.most)
}
const ask = { messages: [{ role: 'user', content: 'hello' }] }

describe('the most that a chat request can cost', () => {
  it('counts bytes of text, what a template adds, and the longest answer', () => {
    expect(most(ask)).toBe(5 + 16 + 10)
    expect(most({ ...ask, n: 3 })).toBe(5 + 16 + 30)
    expect(most({ ...ask, temperature: 0.5, stream: true })).toBe(most(ask))
  })

  it('counts text wherever it stands, so that none passes a budget by', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.constantFrom('name', 'reasoning_content', 'refusal', 'anything'), (text, member) => {
      const bytes = Buffer.byteLength(text)
      expect(most({ messages: [{ role: 'user', content: 'hello', [member]: text }] })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
      expect(most({ messages: [{ role: 'user', content: 'hello', [member]: { deep: [text] } }] })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
      expect(most({ ...ask, [member]: text })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
      expect(most({ ...ask, response_format: { schema: { [member]: text } } })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
      expect(most({ ...ask, tools: [{ type: 'function', function: { description: text } }] })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
    }))
  })

  it('is not known where a part is no text, where nothing bounds the answer, and where no price is listed', () => {
    expect(most({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] })).toBe('unknown')
    const { contextLength: _, ...boundless } = model
    expect(estimateChatRequest(boundless, { model: 'm', ...ask })).toBe('unknown')
    const { outputPerMillion: __, ...unlisted } = model
    expect(estimateChatRequest(unlisted, { model: 'm', max_tokens: 10, ...ask })).toBe('unknown')
  })

  it.each([[0], [-1], [1.5], ['10'], [true], [{}]])('takes no nonsense for a limit: %j', (limit) => {
    expect(most({ ...ask, max_tokens: limit })).toBeGreaterThanOrEqual(5 + 16 + 1_000_000)
    expect(most({ ...ask, max_completion_tokens: limit })).toBeGreaterThanOrEqual(5 + 16 + 1_000_000)
    expect(most({ ...ask, n: limit })).toBe('unknown')
  })

  it('takes the larger of two limits, and none for one that is null', () => {
    expect(most({ ...ask, max_completion_tokens: 3, max_tokens: 200 })).toBe(5 + 16 + 200)
    expect(most({ ...ask, max_completion_tokens: 300, max_tokens: 200 })).toBe(5 + 16 + 300)
    expect(most({ ...ask, max_completion_tokens: null, max_tokens: 7, n: null })).toBe(5 + 16 + 7)
  })
})

import { describe, expect, test } from 'vitest'
import { chatCost, estimateChat } from '../../../../src/core/gateway/pricing/index.ts'
import { searchesWeb } from '../../../../src/core/gateway/relay/estimate.ts'
import type { Model } from '../../../../src/shared/model.ts'

const model: Model = {
  id: 'x',
  name: 'X',
  private: false,
  contextLength: 1000,
  inputPerMillion: '1000000',
  outputPerMillion: '2000000',
  webSearch: '500',
}
const { webSearch: _, ...unpriced } = model
const { contextLength: __, ...unbounded } = model
const size = { promptBytes: 80, messages: 1, maxTokens: 10 }

describe('a chat that searches the web', () => {
  test('costs the search, and as many prompt tokens as fit', () => {
    expect(estimateChat(model, { ...size, webSearch: true })).toEqual({
      least: 500n + 10n,
      most: 500n + 1000n + 20n,
    })
    expect(estimateChat(model, { ...size, webSearch: false })).toEqual({ least: 10n, most: 96n + 20n })
    expect(chatCost(model, { prompt: 7, completion: 1 }, { webSearch: true })).toBe(509n)
  })
  test('has an unknown price if the search has none, or if the prompt is unbounded', () => {
    expect(estimateChat(unpriced, { ...size, webSearch: true })).toBe('unknown')
    expect(estimateChat({ ...model, webSearch: '-1' }, { ...size, webSearch: true })).toBe('unknown')
    expect(estimateChat(unbounded, { ...size, webSearch: true })).toBe('unknown')
    expect(chatCost(unpriced, { prompt: 7, completion: 1 }, { webSearch: true })).toBeNull()
    expect(chatCost(unpriced, { prompt: 7, completion: 1 })).toBe(9n)
  })
  test('is recognized by its plugins and tools', () => {
    for (const body of [
      { plugins: [{ id: 'web' }] },
      { plugins: [{ id: 'other' }] },
      { tools: [{ type: 'web_search' }] },
    ])
      expect(searchesWeb(body)).toBe(true)
    for (const body of [{}, { plugins: [] }, { tools: [{ type: 'function' }] }, { plugins: null }])
      expect(searchesWeb(body)).toBe(false)
  })
})

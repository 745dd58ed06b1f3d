import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateChatRequest } from '../../../../src/core/gateway/relay/estimate.ts'
import { unpricedMember } from '../../../../src/core/gateway/relay/priced-members.ts'
import type { Model } from '../../../../src/shared/model.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'

/** Costs one pico-USD per token, for input and output. */
const model: Model = {
  id: 'm',
  name: 'M',
  private: false,
  contextLength: 1_000_000,
  inputPerMillion: '1000000',
  outputPerMillion: '1000000',
}
const most = (body: JsonObject) => {
  const estimate = estimateChatRequest(model, { model: 'm', max_tokens: 10, ...body })
  return estimate === 'unknown' ? estimate : Number(estimate.most)
}
const ask = { messages: [{ role: 'user', content: 'hello' }] }

describe('the highest estimate of a chat request', () => {
  it('counts bytes of text, the template and the longest reply', () => {
    expect(most(ask)).toBe(5 + 16 + 10)
    expect(most({ ...ask, n: 3 })).toBe(5 + 16 + 30)
    expect(most({ ...ask, temperature: 0.5, stream: true })).toBe(most(ask))
  })

  it('counts text in every member, so that none bypasses a budget', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200 }),
        fc.constantFrom('name', 'reasoning_content', 'refusal', 'anything'),
        (text, member) => {
          const bytes = Buffer.byteLength(text)
          expect(
            most({ messages: [{ role: 'user', content: 'hello', [member]: text }] }),
          ).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
          expect(
            most({ messages: [{ role: 'user', content: 'hello', [member]: { deep: [text] } }] }),
          ).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
          expect(most({ ...ask, user: text })).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
          expect(most({ ...ask, chat_template_kwargs: { [member]: text } })).toBeGreaterThanOrEqual(
            Number(most(ask)) + bytes,
          )
          expect(most({ ...ask, [member]: text })).toBe('unknown')
          expect(most({ ...ask, response_format: { schema: { [member]: text } } })).toBeGreaterThanOrEqual(
            Number(most(ask)) + bytes,
          )
          expect(
            most({ ...ask, tools: [{ type: 'function', function: { description: text } }] }),
          ).toBeGreaterThanOrEqual(Number(most(ask)) + bytes)
        },
      ),
    )
  })

  it('is unknown if a part isn’t text, the reply is unbounded, or a price is missing', () => {
    expect(
      most({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] }),
    ).toBe('unknown')
    // A `text` member next to the picture does not make the part a text.
    expect(
      most({
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' }, text: '' }] },
        ],
      }),
    ).toBe('unknown')
    expect(
      most({
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: '' }, text: 'hi' }] },
        ],
      }),
    ).toBe('unknown')
    const { contextLength: _, ...boundless } = model
    expect(estimateChatRequest(boundless, { model: 'm', ...ask })).toBe('unknown')
    const { outputPerMillion: __, ...unlisted } = model
    expect(estimateChatRequest(unlisted, { model: 'm', max_tokens: 10, ...ask })).toBe('unknown')
  })

  it('counts other members of a text part as text', () => {
    const part = (more: JsonObject) =>
      most({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hello', ...more }] }] })
    expect(part({})).toBe(most(ask))
    expect(part({ image_url: { url: 'data:,' } })).toBeGreaterThan(Number(most(ask)) + 'data:,'.length)
  })

  it.each<[JsonObject]>([
    [{ models: ['m', 'dearer'] }],
    [{ fallback_model: 'dearer' }],
    [{ route: 'x', Models: 'a,b' }],
  ])('is unknown if another model may answer: %j', (more) => {
    expect(most({ ...ask, ...more })).toBe('unknown')
  })

  it('includes a web search requested by any member', () => {
    const searching: Model = { ...model, webSearch: '1000' }
    const estimateWith = (more: JsonObject) =>
      estimateChatRequest(searching, { model: 'm', max_tokens: 10, ...ask, ...more })
    expect(estimateWith({ web_search_options: {} })).toEqual(
      expect.objectContaining({ most: expect.any(BigInt) as unknown }),
    )
    const [plain, options, plugins] = [
      estimateWith({}),
      estimateWith({ web_search_options: {} }),
      estimateWith({ plugins: [{ id: 'web' }] }),
    ]
    if (plain === 'unknown' || options === 'unknown' || plugins === 'unknown')
      throw new Error('all are known')
    expect(options.most - plain.most).toBeGreaterThanOrEqual(1000n)
    expect(plugins.most - plain.most).toBeGreaterThanOrEqual(1000n)
  })

  it.each<[string, JsonObject]>([
    ['anything', { anything: true }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'x' } }],
    ['service_tier', { service_tier: 'priority' }],
    ['service_tier', { service_tier: 'auto' }],
    ['best_of', { best_of: 5 }],
    ['provider', { provider: { order: ['dear'] } }],
    ['mcp_servers', { mcp_servers: [] }],
    ['prediction', { prediction: { type: 'content', content: 'x' } }],
    ['tools', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools', { tools: [{ type: 'mcp', server_url: 'x' }] }],
    ['tools', { tools: [{ type: 'code_interpreter' }] }],
    ['plugins', { plugins: [{ id: 'file-parser' }] }],
    ['plugins', { plugins: [{ id: 'web' }, { id: 'web' }] }],
    [
      'messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }],
          },
        ],
      },
    ],
    [
      'tools',
      { tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }] },
    ],
  ])('is unknown with a member of unknown price: %s in %j', (member, more) => {
    expect(unpricedMember({ ...ask, ...more })).toBe(member)
    expect(most({ ...ask, ...more })).toBe('unknown')
  })

  it('is known with members that have no price, or none for this value', () => {
    const more: JsonObject = {
      modalities: ['text'],
      service_tier: 'default',
      best_of: 1,
      provider: null,
      top_k: 5,
      reasoning_effort: 'high',
      parallel_tool_calls: false,
      store: false,
      prompt_cache_key: 'k',
    }
    expect(unpricedMember({ ...ask, ...more })).toBeUndefined()
    expect(most({ ...ask, ...more })).not.toBe('unknown')
  })

  it('includes the reasoning budget in addition to the reply’s limit', () => {
    expect(most({ ...ask, thinking: { type: 'enabled', budget_tokens: 1000 } })).toBeGreaterThanOrEqual(
      Number(most(ask)) + 1000,
    )
    expect(most({ ...ask, reasoning: { max_tokens: 1000 }, thinking_budget: 500 })).toBeGreaterThanOrEqual(
      Number(most(ask)) + 1000,
    )
    for (const budget of ['many', -1, 1.5])
      expect(most({ ...ask, thinking: { budget_tokens: budget } })).toBe('unknown')
  })

  it.each([[0], [-1], [1.5], ['10'], [true], [{}]])('ignores an invalid limit: %j', (limit) => {
    expect(most({ ...ask, max_tokens: limit })).toBeGreaterThanOrEqual(5 + 16 + 1_000_000)
    expect(most({ ...ask, max_completion_tokens: limit })).toBeGreaterThanOrEqual(5 + 16 + 1_000_000)
    expect(most({ ...ask, n: limit })).toBe('unknown')
  })

  it('uses the larger of two limits, and ignores null', () => {
    expect(most({ ...ask, max_completion_tokens: 3, max_tokens: 200 })).toBe(5 + 16 + 200)
    expect(most({ ...ask, max_completion_tokens: 300, max_tokens: 200 })).toBe(5 + 16 + 300)
    expect(most({ ...ask, max_completion_tokens: null, max_tokens: 7, n: null })).toBe(5 + 16 + 7)
  })
})

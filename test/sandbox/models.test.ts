import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAiClient } from './openai-client.ts'
import { startService, type Service } from './service-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test.each(['embedding', 'image', 'video', 'audio'])(
  'type=%s lists only these models, each with nine attributes',
  async (type) => {
    const { data } = (await service.call('GET', `/v1/models?type=${type}`)).body as unknown as {
      data: Record<string, unknown>[]
    }
    expect(data.length).toBeGreaterThan(1)
    for (const entry of data) {
      expect(entry).toMatchObject({
        type,
        id: expect.any(String) as string,
        name: expect.any(String) as string,
        provider: expect.any(String) as string,
        context_length: expect.any(Number) as number,
        created_at: expect.any(Number) as number,
      })
      const pricing = entry['pricing'] as Record<string, unknown>
      const {
        average_cost,
        prompts_per_dollar,
        input_rate = pricing['input_per_1M_tokens'],
        output_rate = pricing['output_per_1M_tokens'],
      } = { ...pricing, ...entry }
      expect(
        [average_cost, prompts_per_dollar, input_rate, output_rate].map((value) => typeof value),
      ).toEqual(['number', 'number', 'number', 'number'])
    }
  },
)

test('OpenAI’s client lists the models', async () => {
  const ids: string[] = []
  for await (const model of openAiClient(service).models.list()) ids.push(model.id)
  expect(ids).toContain('sandbox/allegro-mini')
})

test('chat models list the price of a web search, except private ones', async () => {
  const { data } = (await service.call('GET', '/v1/models?type=all')).body as unknown as {
    data: { id: string; type: string; pricing: { web_search?: number } }[]
  }
  const chat = data.filter(({ type, id }) => type === 'chat' && id !== 'sandbox/auto')
  for (const { id, pricing } of chat)
    expect([id, pricing.web_search]).toEqual([id, id.startsWith('private/') ? undefined : 0.02])
})

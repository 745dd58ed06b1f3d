import { AnthropicError } from '@anthropic-ai/sdk'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anthropicModel, openAiModel } from '../../../../src/core/gateway/proxy/listed-model.ts'
import { modelSchema, type Model } from '../../../../src/shared/model.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'
import { anthropicSdk } from './dialects/anthropic-client.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const VERSION = { 'anthropic-version': '2023-06-01' }
interface Refusal {
  error: { code: string; message: string; details: { error_code: string; param?: string } }
}
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${world.key}`, ...headers } })

describe('a listed model', () => {
  const base: Model = { id: 'a/b', name: 'B', private: false }
  it('has no member that the service didn’t state', () => {
    expect(openAiModel(base, 'forwarded')).toEqual({
      id: 'a/b',
      object: 'model',
      created: 0,
      owned_by: 'unknown',
      name: 'B',
      privacy: 'forwarded',
    })
    expect(anthropicModel(base, 'sealed')).toEqual({
      type: 'model',
      id: 'a/b',
      display_name: 'B',
      created_at: '1970-01-01T00:00:00Z',
      privacy: 'sealed',
    })
  })
  it('has every member that the service stated, by OpenRouter’s names', () => {
    const model = modelSchema.parse({
      ...base,
      description: 'Good.',
      provider: 'Acme',
      addedAt: 1_790_000_000_500,
      contextLength: 8192,
      maxOutput: 4096,
      type: 'chat',
      inputModalities: ['text', 'image'],
      outputModalities: ['text'],
      supportedParameters: ['tools'],
      inputPerMillion: '158250000000',
      outputPerMillion: '21100000000001',
      webSearch: '20000000000',
    })
    expect(openAiModel(model, 'relayed')).toEqual({
      id: 'a/b',
      object: 'model',
      created: 1_790_000_000,
      owned_by: 'Acme',
      name: 'B',
      description: 'Good.',
      context_length: 8192,
      type: 'chat',
      privacy: 'relayed',
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      supported_parameters: ['tools'],
      top_provider: { context_length: 8192, max_completion_tokens: 4096 },
      pricing: { prompt: '0.00000015825', completion: '0.000021100000000001', web_search: '0.02' },
    })
    expect(anthropicModel(model, 'relayed')).toMatchObject({
      created_at: '2026-09-21T14:13:20.500Z',
      max_input_tokens: 8192,
      max_tokens: 4096,
    })
  })
  it('has the price of an image only if it doesn’t depend on the request', () => {
    const priced = (tables: NonNullable<Model['mediaPrice']>['tables'], type = 'image'): unknown =>
      openAiModel({ ...base, type, mediaPrice: { base: '23000000000', tables } }, 'forwarded')['pricing']
    expect(priced([])).toEqual({ image_output: '0.023' })
    expect(priced([{ by: 'quality', of: { high: '1' } }])).toBeUndefined()
    expect(priced([], 'video')).toBeUndefined()
  })
  it('has exact decimals: a million of them are the listed price', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (pico) => {
        const { prompt } = openAiModel({ ...base, inputPerMillion: pico.toString() }, 'forwarded')[
          'pricing'
        ] as { prompt: string }
        expect(prompt).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
        const [whole = '', fraction = ''] = prompt.split('.')
        expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(pico)
      }),
    )
  })
})

describe('GET /v1/models', () => {
  it('states what the service states of each kind', async () => {
    const { data } = (await (await get('/models')).json()) as { data: Record<string, unknown>[] }
    expect(data.find(({ id }) => id === PRIVATE_MODEL)).toEqual({
      id: PRIVATE_MODEL,
      object: 'model',
      created: Date.parse('2026-05-04') / 1000,
      owned_by: 'Sotto Sandbox',
      name: 'Sandbox Lento 8B',
      context_length: 32_768,
      type: 'chat',
      privacy: 'sealed',
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      supported_parameters: ['temperature', 'top_p', 'max_tokens', 'reasoning_effort'],
      top_provider: { context_length: 32_768 },
      pricing: { prompt: '0.00000015825', completion: '0.0000003165' },
    })
    // A router's price is unknown, and what transcribes has no context.
    expect(data.find(({ id }) => id === 'sandbox/auto')).not.toHaveProperty('pricing')
    const { data: audio } = (await (await get('/models?type=audio')).json()) as {
      data: Record<string, unknown>[]
    }
    expect(audio.find(({ id }) => id === 'sandbox/orecchio-3')).toMatchObject({ name: 'Sandbox Orecchio 3' })
    for (const model of [...data, ...audio]) expect(model['context_length']).not.toBe(1)
  })

  it('is read by OpenAI’s SDK, and each model by its ID', async () => {
    const client = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([PRIVATE_MODEL, PLAINTEXT_MODEL]))
    for (const id of [PRIVATE_MODEL, PLAINTEXT_MODEL])
      expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model' })
    await expect(client.models.retrieve('private/sandbox-lento-8')).rejects.toMatchObject({
      status: 404,
      code: 'model/unknown',
      message: expect.stringContaining(`Did you mean "${PRIVATE_MODEL}"?`) as unknown,
    })
  })

  it('is read by Anthropic’s SDK, page by page', async () => {
    const client = anthropicSdk(world)
    const { data } = (await (await get('/models')).json()) as { data: { id: string }[] }
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 3 })) ids.push(model.id)
    expect(ids).toEqual(data.map(({ id }) => id))
    expect(await client.models.retrieve(PRIVATE_MODEL)).toMatchObject({
      id: PRIVATE_MODEL,
      type: 'model',
      display_name: 'Sandbox Lento 8B',
      created_at: '2026-05-04T00:00:00Z',
    })
    await expect(client.models.retrieve('sandbox/none-of-these')).rejects.toBeInstanceOf(AnthropicError)
  })

  it('in Anthropic’s shape has cursors in both directions', async () => {
    const { data } = (await (await get('/models')).json()) as { data: { id: string }[] }
    const all = data.map(({ id }) => id)
    const page = async (query: string) => {
      const body = (await (await get(`/models?${query}`, VERSION)).json()) as {
        data: { id: string }[]
        has_more: boolean
        first_id: string | null
        last_id: string | null
      }
      return {
        ids: body.data.map(({ id }) => id),
        more: body.has_more,
        first: body.first_id,
        last: body.last_id,
      }
    }
    const pageOf = (ids: string[], more: boolean) => ({
      ids,
      more,
      first: ids[0] ?? null,
      last: ids.at(-1) ?? null,
    })
    expect(await page('')).toEqual(pageOf(all.slice(0, 20), all.length > 20))
    expect(await page('limit=1000')).toEqual(pageOf(all, false))
    expect(await page('limit=2')).toEqual(pageOf(all.slice(0, 2), true))
    expect(await page(`limit=2&after_id=${encodeURIComponent(all[1] ?? '')}`)).toEqual(
      pageOf(all.slice(2, 4), true),
    )
    expect(await page(`after_id=${encodeURIComponent(all.at(-1) ?? '')}`)).toEqual(pageOf([], false))
    expect(await page(`limit=2&before_id=${encodeURIComponent(all[3] ?? '')}`)).toEqual(
      pageOf(all.slice(1, 3), true),
    )
    expect(await page(`limit=5&before_id=${encodeURIComponent(all[2] ?? '')}`)).toEqual(
      pageOf(all.slice(0, 2), false),
    )
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=-1', 'limit'],
    ['after_id=none', 'after_id'],
    ['before_id=', 'before_id'],
    [
      `after_id=${encodeURIComponent(PLAINTEXT_MODEL)}&before_id=${encodeURIComponent(PLAINTEXT_MODEL)}`,
      'before_id',
    ],
  ])('refuses the page %s', async (query, param) => {
    const response = await get(`/models?${query}`, VERSION)
    const { error } = (await response.json()) as Refusal
    expect([response.status, error.details.error_code, error.details.param]).toEqual([
      400,
      'proxy/invalid-request',
      param,
    ])
  })

  it.each([
    ['/models/private/sandbox-lento-8b'],
    ['/models/private%2Fsandbox-lento-8b'],
    ['/models/private%2fsandbox-lento-8b/'],
    ['//models//private/sandbox-lento-8b'],
  ])('one model by %s', async (path) => {
    expect(await (await get(path)).json()).toMatchObject({ id: PRIVATE_MODEL, privacy: 'sealed' })
    expect(await (await get(path, VERSION)).json()).toMatchObject({ id: PRIVATE_MODEL, type: 'model' })
  })
  it.each([
    ['/models/private%252Fsandbox-lento-8b'],
    ['/models/private%2F%2Fsandbox-lento-8b'],
    ['/models/..%2Fkeys'],
  ])('refuses %s', async (path) => {
    expect((await get(path)).status).toBe(400)
  })
})

describe('a model that isn’t listed', () => {
  const message = async (model: string, path = '/v1/chat/completions', key = world.key): Promise<string> =>
    (
      (await (
        await world.post(
          {
            model,
            ...(/responses|embeddings/.test(path)
              ? { input: 'x' }
              : { messages: [{ role: 'user', content: 'x' }] }),
            ...(path.endsWith('/messages') && { max_tokens: 5 }),
          },
          { authorization: `Bearer ${key}` },
          path,
        )
      ).json()) as Refusal
    ).error.message
  it.each([['/v1/chat/completions'], ['/v1/responses'], ['/v1/messages'], ['/v1/messages/count_tokens']])(
    'is refused with near matches on %s',
    async (path) => {
      expect(await message('allegro_mini', path)).toContain(`Did you mean "${PLAINTEXT_MODEL}"?`)
    },
  )
  it('on other paths too', async () => {
    expect(await message('eco-embedding-smal', '/v1/embeddings')).toContain(
      'Did you mean "sandbox/eco-embedding-small"?',
    )
  })
  it('with a private name never has another’s near match', async () => {
    expect(await message('private/allegro-mini')).not.toContain('Did you mean')
    expect(await message('private/sandbox-lento-8B')).toContain(`Did you mean "${PRIVATE_MODEL}"?`)
  })
  it('has near matches only among the models that the key may use', async () => {
    const { secret } = (await world.call('localApi/create', {
      name: 'Some',
      limits: { models: ['private/*', '*-mini-x'] },
    })) as { secret: string }
    expect(await message('allegro-mini-x', undefined, secret)).not.toContain('Did you mean')
    expect(await message('allegro-mini-x')).toContain(`Did you mean "${PLAINTEXT_MODEL}"`)
  })
  it('of any length costs nothing', async () => {
    expect(await message(`${PLAINTEXT_MODEL}${'x'.repeat(5_000_000)}`)).not.toContain('Did you mean')
  })
})

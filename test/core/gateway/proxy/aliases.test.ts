import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import { videoModels } from '../../../../src/sandbox/video/models.ts'
import type { ModelAlias } from '../../../../src/shared/key-limits.ts'
import { giveFirstKey } from '../../../limited-key.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const EMBEDDING = 'sandbox/eco-embedding-small'
const IMAGE = 'sandbox/bozzetto-image'
const VIDEO = videoModels[0]?.id ?? ''
const messages = [{ role: 'user' as const, content: 'hello' }]
const aliases: ModelAlias[] = [
  { pattern: 'claude-*haiku*', model: PRIVATE_MODEL },
  { pattern: 'gpt-4o', model: PLAINTEXT_MODEL },
  { pattern: '*:latest', model: PRIVATE_MODEL },
  { pattern: '*[1m]', model: PRIVATE_MODEL },
  { pattern: 'text-embedding-*', model: EMBEDDING },
  { pattern: 'dall-e-3', model: IMAGE },
  { pattern: 'sora-*', model: VIDEO },
  { pattern: 'gone', model: 'private/gone' },
  { pattern: 'sandbox/*', model: PRIVATE_MODEL },
]

let world: World
let key: string
beforeAll(async () => {
  world = await startWorld()
  key = ((await world.call('localApi/create', { name: 'tool', limits: { aliases } })) as { secret: string })
    .secret
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

const post = (path: string, body: object, secret = key): Promise<Response> =>
  world.post(body, { authorization: `Bearer ${secret}` }, path)
const get = (path: string, headers = {}): Promise<Response> =>
  fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
]
const receiptOf = async (response: Response): Promise<unknown> => {
  const receiptId = response.headers.get('x-sotto-receipt')
  await expect.poll(() => world.call('receipts/get', { receiptId })).toHaveProperty('outcome')
  return world.call('receipts/get', { receiptId })
}
/** The model members of an answer, in JSON or in the events of a stream. */
const modelsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"model":\s*"([^"]*)"/g)].map(([, model = '']) => model)),
]

/** Each dialect of chat, with a request that names a model. */
const dialects: [string, (model: string) => object][] = [
  ['/v1/chat/completions', (model) => ({ model, messages })],
  ['/v1/completions', (model) => ({ model, prompt: 'hello' })],
  ['/v1/responses', (model) => ({ model, input: 'hello' })],
  ['/v1/messages', (model) => ({ model, messages, max_tokens: 50 })],
  ['/api/chat', (model) => ({ model, messages })],
  ['/api/generate', (model) => ({ model, prompt: 'hello' })],
]

describe.each(dialects)('%s', (path, body) => {
  it.each([
    ['claude-3-5-haiku-20241022', PRIVATE_MODEL, 'sealed'],
    ['llama3:latest', PRIVATE_MODEL, 'sealed'],
    ['claude-sonnet-4[1m]', PRIVATE_MODEL, 'sealed'],
    ['gpt-4o', PLAINTEXT_MODEL, 'forwarded'],
  ])(
    'answers as %s, whole and streamed, and names the real model in a header and the receipt',
    async (name, model, privacy) => {
      for (const stream of [false, true]) {
        world.sandbox.clearReceived()
        const response = await post(path, { ...body(name), stream })
        expect([
          response.status,
          response.headers.get('x-sotto-model'),
          response.headers.get('x-sotto-privacy'),
        ]).toEqual([200, model, privacy])
        expect(modelsIn(await response.text())).toEqual([name])
        expect(await receiptOf(response)).toMatchObject({
          model,
          askedModel: name,
          privacy,
          outcome: 'complete',
        })
        const sent = Buffer.concat(world.outbound.splice(0)).toString('latin1')
        expect(sent).not.toContain(name)
        expect(sent).toContain(privacy === 'sealed' ? `"x-private-model":"${model}"` : `"model":"${model}"`)
      }
    },
  )

  it('leaves a listed model as it is, before a pattern', async () => {
    const response = await post(path, body(PLAINTEXT_MODEL))
    expect([response.headers.get('x-sotto-model'), response.headers.get('x-sotto-privacy')]).toEqual([
      PLAINTEXT_MODEL,
      'forwarded',
    ])
    expect(await receiptOf(response)).not.toHaveProperty('askedModel')
  })

  it.each(['gone', 'unknown', 'GPT-4o', 'private/gpt-4o'])(
    'refuses %s, which means no listed model',
    async (name) => {
      const response = await post(path, body(name))
      expect(response.status).toBe(404)
      expect(chatRequests(world.sandbox)).toEqual([])
    },
  )
})

describe('other paths', () => {
  it('/v1/embeddings answers as the tool asked', async () => {
    const response = await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hello' })
    expect(response.headers.get('x-sotto-model')).toBe(EMBEDDING)
    expect(modelsIn(await response.text())).toEqual(['text-embedding-3-small'])
    expect(await receiptOf(response)).toMatchObject({
      model: EMBEDDING,
      askedModel: 'text-embedding-3-small',
      outcome: 'complete',
    })
  })

  it('/v1/images/generations uses the model', async () => {
    const response = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'an otter' })
    expect([response.status, response.headers.get('x-sotto-model')]).toEqual([200, IMAGE])
    expect(await receiptOf(response)).toMatchObject({ model: IMAGE, askedModel: 'dall-e-3' })
  })

  it.each([
    ['/v1/embeddings', { input: 'hello' }],
    ['/v1/images/generations', { prompt: 'an otter' }],
    ['/v1/videos', { prompt: 'an otter' }],
    ['/v1/audio/speech', { input: 'hello', voice: 'alto' }],
  ])('%s never takes an alias of a private model', async (path, body) => {
    expect(await codeOf(await post(path, { ...body, model: 'llama3:latest' }))).toEqual([400, 'privacy/path'])
    expect(world.sandbox.received().filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('a form is judged and sent with the model', async () => {
    const form = new FormData()
    form.append('model', 'llama3:latest')
    form.append('file', new File(['sound'], 'otter.wav', { type: 'audio/wav' }))
    expect(
      await codeOf(
        await fetch(`${world.baseUrl}/audio/transcriptions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: form,
        }),
      ),
    ).toEqual([400, 'privacy/path'])
  })

  it('the state of a video has the name that its request sent, to each key, and the bytes of the service without an alias', async () => {
    const status = async (id: string, secret = key): Promise<{ id: string; model: string; status: string }> =>
      (await (
        await fetch(`${world.baseUrl}/videos/${id}`, { headers: { authorization: `Bearer ${secret}` } })
      ).json()) as { id: string; model: string; status: string }
    for (const name of ['sora-2', 'sora-2-pro', VIDEO]) {
      const submitted = (await (await post('/v1/videos', { model: name, prompt: 'an otter' })).json()) as {
        id: string
        model: string
      }
      expect(submitted.model).toBe(name)
      for (const secret of [key, world.key])
        expect(await status(submitted.id, secret)).toMatchObject({ id: submitted.id, model: name })
      await expect.poll(async () => (await status(submitted.id)).status).toBe('completed')
      expect((await status(submitted.id)).model).toBe(name)
      expect((await get(`/videos/${submitted.id}/content`)).headers.get('content-type')).toBe('video/mp4')
    }
  })

  it('Ollama’s API lists and shows them, with and without the tag that its clients add', async () => {
    const tags = (await (
      await fetch(`${world.baseUrl.replace(/\/v1$/, '')}/api/tags`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json()) as { models: { name: string; privacy: string }[] }
    expect(tags.models.filter(({ name }) => name === 'gpt-4o' || name === 'gone')).toEqual([
      expect.objectContaining({ name: 'gpt-4o', privacy: 'forwarded' }),
    ])
    for (const [name, status] of [
      ['gpt-4o', 200],
      ['llama3:latest', 200],
      ['claude-haiku', 200],
      ['llama3:8b', 404],
      ['gone', 404],
    ] as const)
      expect((await post('/api/show', { model: name })).status).toBe(status)
    const response = await post('/api/embed', { model: 'text-embedding-3-small', input: 'hello' })
    expect([response.status, modelsIn(await response.text())]).toEqual([200, ['text-embedding-3-small']])
  })

  it('/v1/messages/count_tokens and /v1/models/{id} know it', async () => {
    const counted = await post('/v1/messages/count_tokens', { model: 'claude-3-5-haiku', messages })
    expect([counted.status, counted.headers.get('x-sotto-model')]).toEqual([200, PRIVATE_MODEL])
    const response = await get(`/models/${encodeURIComponent('llama3:latest')}`)
    expect(response.headers.get('x-sotto-model')).toBe(PRIVATE_MODEL)
    expect(await response.json()).toMatchObject({
      id: 'llama3:latest',
      name: 'Sandbox Lento 8B',
      privacy: 'sealed',
    })
  })

  it('/v1/models lists an alias without a wildcard, with everything of its model', async () => {
    const { data } = (await (await get('/models')).json()) as { data: { id: string; privacy: string }[] }
    expect(data.find(({ id }) => id === 'gpt-4o')).toEqual({
      ...data.find(({ id }) => id === PLAINTEXT_MODEL),
      id: 'gpt-4o',
    })
    expect(data.filter(({ id }) => id.includes('*') || id === 'gone')).toEqual([])
    const page = (await (await get('/models?limit=1000', { 'anthropic-version': '2023-06-01' })).json()) as {
      data: { id: string }[]
    }
    expect(page.data.map(({ id }) => id)).toContain('gpt-4o')
  })
})

describe('a key for private models', () => {
  it('is not saved with an alias of another, and refuses one that was saved', async () => {
    const visible = { atLeast: 'sealed', aliases: [{ pattern: 'gpt-*', model: PLAINTEXT_MODEL }] } as const
    expect(await world.call('localApi/create', { name: 'private', limits: visible })).toMatchObject({
      data: { code: 'local-key/alias-model' },
    })
    const {
      key: { id },
    } = (await world.call('localApi/create', { name: 'private', limits: { atLeast: 'sealed' } })) as {
      key: { id: string }
    }
    expect(await world.call('localApi/update', { keyId: id, limits: visible })).toMatchObject({
      data: { code: 'local-key/alias-model' },
    })
    await using saved = await startWorld({
      vault: async (folder) => {
        const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
        await giveFirstKey({ vault, folder, profileId: 'sandbox', limits: visible })
        return vault
      },
    })
    saved.sandbox.clearReceived()
    for (const [path, body] of [
      ...dialects,
      ['/v1/embeddings', (model: string) => ({ model, input: 'hello' })],
      ['/v1/messages/count_tokens', (model: string) => ({ model, messages })],
    ] as const) {
      const response = await saved.post(body('gpt-4o'), {}, path)
      expect([path, response.status]).toEqual([path, 403])
      expect(await response.text()).toContain('allows only private models')
    }
    expect(saved.sandbox.received().filter(({ method }) => method === 'POST')).toEqual([])
  })
})

it('the official SDKs get the name that they sent', async () => {
  const openai = new OpenAI({ baseURL: world.baseUrl, apiKey: key, maxRetries: 0 })
  const { data, response } = await openai.chat.completions
    .create({ model: 'gpt-4o', messages })
    .withResponse()
  expect([data.model, response.headers.get('x-sotto-model')]).toEqual(['gpt-4o', PLAINTEXT_MODEL])
  for await (const chunk of await openai.chat.completions.create({
    model: 'llama3:latest',
    messages,
    stream: true,
  }))
    expect(chunk.model).toBe('llama3:latest')
  expect((await openai.responses.create({ model: 'gpt-4o', input: 'hello' })).model).toBe('gpt-4o')
  expect((await openai.embeddings.create({ model: 'text-embedding-3-small', input: 'hello' })).model).toBe(
    'text-embedding-3-small',
  )
  expect((await openai.models.retrieve('gpt-4o')).id).toBe('gpt-4o')
  const anthropic = new Anthropic({ baseURL: world.baseUrl.replace(/\/v1$/, ''), apiKey: key, maxRetries: 0 })
  const asked = { model: 'claude-3-5-haiku-latest', max_tokens: 50, messages }
  expect((await anthropic.messages.create(asked)).model).toBe(asked.model)
  expect((await anthropic.messages.stream(asked).finalMessage()).model).toBe(asked.model)
  expect(
    (await anthropic.messages.countTokens({ model: asked.model, messages })).input_tokens,
  ).toBeGreaterThan(0)
})

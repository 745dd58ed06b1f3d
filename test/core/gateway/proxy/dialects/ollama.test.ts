import { createHash, randomUUID } from 'node:crypto'
import { Ollama } from 'ollama'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formsOf } from '../../../../canary.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../../../../world.ts'

const EMBEDDING = 'sandbox/eco-embedding-small'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const hello = [{ role: 'user', content: 'Tell me about whispers' }]
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: city },
}))

let world: World
let client: Ollama
/** The host of the proxy, as the tools of Ollama are given it. */
let host: string
beforeAll(async () => {
  world = await startWorld()
  host = world.baseUrl.replace(/\/v1$/, '')
  client = new Ollama({ host, headers: { Authorization: `Bearer ${world.key}` } })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

async function joined<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}
const get = (
  path: string,
  headers: Record<string, string> = { authorization: `Bearer ${world.key}` },
  method = 'GET',
): Promise<Response> => fetch(`${host}${path}`, { method, headers })

/** The client of Ollama, unchanged: only the host and the key are Sotto's. */
describe.each([
  { model: PRIVATE_MODEL, vision: PRIVATE_VISION_MODEL, privacy: 'sealed' },
  { model: PLAINTEXT_MODEL, vision: PLAINTEXT_VISION_MODEL, privacy: 'forwarded' },
])('the npm client with $model', ({ model, vision, privacy }) => {
  it('chats, whole and streamed, with the same text and counts', async () => {
    const whole = await client.chat({ model, messages: hello })
    expect(whole).toMatchObject({ model, done: true, done_reason: 'stop', message: { role: 'assistant' } })
    expect(whole.message.content.length).toBeGreaterThan(50)
    expect(whole.prompt_eval_count).toBeGreaterThan(0)
    expect(whole.eval_duration).toBeGreaterThan(0)
    expect(whole.total_duration).toBeGreaterThanOrEqual(whole.eval_duration)
    const lines = await joined(await client.chat({ model, messages: hello, stream: true }))
    expect(lines.map(({ message }) => message.content).join('')).toBe(whole.message.content)
    expect(lines.at(-1)).toMatchObject({
      model,
      done: true,
      eval_count: whole.eval_count,
      prompt_eval_count: whole.prompt_eval_count,
    })
    expect(chatRequests(world.sandbox).map(({ sealed }) => sealed)).toEqual([
      privacy === 'sealed',
      privacy === 'sealed',
    ])
  })

  it.each([false, true])('stops at num_predict and reports the reason (stream: %s)', async (stream) => {
    const request = { model, messages: hello, options: { num_predict: 5 } }
    const end = stream
      ? (await joined(await client.chat({ ...request, stream: true }))).at(-1)
      : await client.chat(request)
    expect(end).toMatchObject({ done_reason: 'length', eval_count: 5 })
  })

  it.each([false, true])('calls two tools and accepts their results (stream: %s)', async (stream) => {
    const messages = [
      {
        role: 'user',
        content: 'Please call get_weather with {"city":"Oslo"} and call get_time with {"city":"Rome"}',
      },
    ]
    const parts = stream
      ? await joined(await client.chat({ model, messages, tools, stream: true }))
      : [await client.chat({ model, messages, tools })]
    const calls = parts.flatMap(({ message }) => message.tool_calls ?? [])
    expect(calls.map(({ function: { name, arguments: input } }) => [name, input])).toEqual([
      ['get_weather', { city: 'Oslo' }],
      ['get_time', { city: 'Rome' }],
    ])
    const assistant = {
      role: 'assistant',
      content: parts.map(({ message }) => message.content).join(''),
      tool_calls: calls,
    }
    const results = [
      { role: 'tool', tool_name: 'get_time', content: 'half past ten' },
      { role: 'tool', tool_name: 'get_weather', content: 'minus four' },
    ]
    const answered = await client.chat({ model, messages: [...messages, assistant, ...results], tools })
    expect(answered.message).not.toHaveProperty('tool_calls')
    expect(answered.message.content).toContain('minus four')
  })

  it('accepts images in a chat and in a prompt', async () => {
    const what = /image\/png.*70 bytes, 1 × 1 pixels/
    expect(
      (
        await client.chat({
          model: vision,
          messages: [{ role: 'user', content: 'What is this?', images: [PIXEL] }],
        })
      ).message.content,
    ).toMatch(what)
    expect(
      (
        await client.generate({
          model: vision,
          prompt: 'What is this?',
          images: [Buffer.from(PIXEL, 'base64')],
        })
      ).response,
    ).toMatch(what)
  })

  it('returns JSON that matches a schema', async () => {
    const format = {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
      required: ['city', 'degrees'],
      additionalProperties: false,
    }
    const { message } = await client.chat({
      model,
      messages: [{ role: 'user', content: 'How warm is it in Oslo, about 7?' }],
      format,
    })
    expect(JSON.parse(message.content)).toEqual({ city: 'Oslo', degrees: 7 })
  })

  it('completes a prompt, whole and streamed', async () => {
    const whole = await client.generate({ model, prompt: 'Tell me about whispers', system: 'Be brief.' })
    expect(whole).toMatchObject({ model, done: true, done_reason: 'stop' })
    const lines = await joined(
      await client.generate({ model, prompt: 'Tell me about whispers', system: 'Be brief.', stream: true }),
    )
    expect(lines.map(({ response }) => response).join('')).toBe(whole.response)
    expect(
      (await client.generate({ model, prompt: 'let x =', suffix: '\nlog(x)', raw: true })).response,
    ).not.toBe('')
  })

  it('accepts every kind of thinking', async () => {
    for (const think of [true, false, 'low'] as const)
      expect((await client.chat({ model, messages: hello, think })).done).toBe(true)
  })

  it('shows the model with the details of the model list', async () => {
    const shown = await client.show({ model: vision })
    const listed = (await (await get(`/v1/models/${vision}`)).json()) as {
      context_length: number
      name: string
    }
    expect(shown).toMatchObject({
      model_info: {
        'general.architecture': 'unknown',
        'general.basename': listed.name,
        'unknown.context_length': listed.context_length,
      },
      capabilities: ['completion', 'vision'],
      license: '',
      privacy,
    })
    expect((await client.show({ model: PRIVATE_MODEL })).capabilities).toEqual(['completion', 'thinking'])
  })

  it('receives an error within a stream that was cut off, and never the end marker', async () => {
    world.sandbox.setFault('cut-on-frame-boundary', true)
    try {
      const text = await (await world.post({ model, messages: hello }, {}, '/api/chat')).text()
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { done?: boolean; error?: string })
      expect(lines.at(-1)?.error).toMatch(/stopped early|cut off/)
      expect(lines.some(({ done }) => done === true)).toBe(false)
      await expect(client.chat({ model, messages: hello, stream: true }).then(joined)).rejects.toThrow(
        /stopped early|cut off/,
      )
    } finally {
      world.sandbox.setFault('cut-on-frame-boundary', false)
    }
  })

  it('is loaded and unloaded without a request to the service', async () => {
    expect((await client.generate({ model, prompt: '' })).done_reason).toBe('load')
    expect((await client.chat({ model, messages: [], keep_alive: 0 })).done_reason).toBe('unload')
    expect(await joined(await client.generate({ model, prompt: '', stream: true }))).toMatchObject([
      { done: true, response: '' },
    ])
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it('accepts the tag that clients add to the model', async () => {
    expect((await client.chat({ model: `${model}:latest`, messages: hello })).model).toBe(model)
    expect((await client.show({ model: `${model}:latest` })).model_info).toHaveProperty(['general.basename'])
    await expect(client.chat({ model: `${model}:8b`, messages: hello })).rejects.toMatchObject({
      status_code: 404,
    })
    expect(chatRequests(world.sandbox).map(({ sealed }) => sealed)).toEqual([privacy === 'sealed'])
  })

  it('streams lines, and names the receipt, the privacy and the ignored members', async () => {
    const response = await world.post(
      { model, messages: hello, keep_alive: '5m', options: { num_ctx: 1 } },
      {},
      '/api/chat',
    )
    await response.text()
    const header = (name: string): string | null => response.headers.get(name)
    expect([header('content-type'), header('x-sotto-privacy'), header('x-sotto-ignored')]).toEqual([
      'application/x-ndjson',
      privacy,
      'keep_alive, options.num_ctx',
    ])
    expect(await world.call('receipts/get', { receiptId: header('x-sotto-receipt') })).toMatchObject({
      model,
      privacy,
      outcome: 'complete',
    })
  })
})

it('lists the models for chat and embeddings', async () => {
  const { models } = await client.list()
  const names = models.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([PRIVATE_MODEL, PLAINTEXT_MODEL, EMBEDDING]))
  expect(names.some((name) => /image|voice|orecchio/.test(name))).toBe(false)
  expect(new Set(names).size).toBe(names.length)
  expect(models.find(({ name }) => name === PRIVATE_MODEL)).toEqual({
    name: PRIVATE_MODEL,
    model: PRIVATE_MODEL,
    modified_at: '2026-05-04T00:00:00.000Z',
    size: 0,
    digest: createHash('sha256').update(PRIVATE_MODEL).digest('hex'),
    privacy: 'sealed',
    details: {
      parent_model: '',
      format: '',
      family: '',
      families: [],
      parameter_size: '',
      quantization_level: '',
    },
  })
  expect((await client.ps()).models).toEqual([])
  expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/)
})

it('embeds texts, and sends no request for an empty list', async () => {
  const { embeddings, prompt_eval_count: tokens } = await client.embed({
    model: EMBEDDING,
    input: ['a river', 'a lake'],
    truncate: true,
  })
  expect(embeddings.map(({ length }) => length)).toEqual([512, 512])
  expect(tokens).toBeGreaterThan(0)
  const [one] = (await client.embed({ model: `${EMBEDDING}:latest`, input: 'a river' })).embeddings
  expect(one).toEqual(embeddings[0])
  expect((await client.embeddings({ model: EMBEDDING, prompt: 'a river' })).embedding).toEqual(one)
  expect((await client.show({ model: EMBEDDING })).capabilities).toEqual(['embedding'])
  const before = world.outbound.length
  expect((await client.embed({ model: EMBEDDING, input: [] })).embeddings).toEqual([])
  expect(world.outbound.length).toBe(before)
})

it.each(['/api/chat', '/api/generate'])('sends nothing of a private request unsealed: %s', async (path) => {
  for (const stream of [false, true]) {
    const canary = `canary-${randomUUID()}`
    const { length } = world.outbound
    const response = await world.post(
      {
        model: PRIVATE_MODEL,
        stream,
        ...(path === '/api/chat'
          ? {
              messages: [
                { role: 'system', content: canary },
                { role: 'user', content: canary },
              ],
            }
          : { prompt: canary, system: canary }),
      },
      {},
      path,
    )
    await response.text()
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
    const sent = Buffer.concat(world.outbound.slice(length))
    expect(sent.byteLength).toBeGreaterThan(100)
    expect(formsOf(canary, sent)).toEqual([])
  }
})

it('refuses embeddings with a private model, and sends none of the text', async () => {
  const canary = `canary-${randomUUID()}`
  const response = await world.post({ model: `${PRIVATE_MODEL}:latest`, input: canary }, {}, '/api/embed')
  expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([400, 'refused'])
  expect(formsOf(canary, Buffer.concat(world.outbound))).toEqual([])
})

describe('refuses with an error message, and sends nothing', () => {
  const chat = { model: PRIVATE_MODEL, messages: hello }
  async function error(response: Response): Promise<[number, string]> {
    const body = (await response.json()) as { error: string }
    expect(Object.keys(body)).toEqual(['error'])
    expect(chatRequests(world.sandbox)).toEqual([])
    return [response.status, body.error]
  }
  it.each<[string, number, RegExp, object | string, Record<string, string>?]>([
    ['no key', 401, /Authorization: Bearer/, chat, { authorization: '' }],
    ['a wrong key', 401, /not a valid local key/, chat, { authorization: 'Bearer wrong' }],
    ['a page', 403, /page/i, chat, { origin: 'https://evil.example' }],
    [
      'another content type',
      415,
      /application\/json/,
      chat,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['no JSON', 400, /valid JSON/, '{'],
    ['a member twice', 400, /duplicate/, `{"model":"${PLAINTEXT_MODEL}","model":"${PRIVATE_MODEL}"}`],
    ['no model', 400, /"model"/, { messages: hello }],
    ['an unknown model', 404, /does not list this model/, { ...chat, model: 'private/none' }],
    [
      'an unknown model with the tag',
      404,
      /does not list this model/,
      { ...chat, model: 'private/none:latest' },
    ],
    ['an unknown model to load', 404, /does not list this model/, { model: 'private/none', messages: [] }],
    [
      'a disguised model with the tag',
      404,
      /does not list this model/,
      { ...chat, model: ` ${PRIVATE_MODEL}:latest` },
    ],
    ['a member that it does not have', 400, /"tool_choice"/, { ...chat, tool_choice: 'auto' }],
    ['a body that is too large', 413, /64 MiB/, ' '.repeat(64 * 1024 * 1024 + 1)],
  ])('%s', async (_what, status, message, body, headers) => {
    expect(await error(await world.post(body, headers, '/api/chat'))).toEqual([
      status,
      expect.stringMatching(message),
    ])
  })
  it.each(['/api/tags', '/api/version', '/api/ps'])('GET %s without a key', async (path) => {
    expect(await error(await get(path, {}))).toEqual([401, expect.stringContaining('Authorization: Bearer')])
  })
  it('an unknown path, also without a key', async () => {
    expect(await error(await get('/api/anything', {}))).toEqual([404, expect.stringContaining('/api/tags')])
  })
  it.each([
    ['POST', 'pull'],
    ['POST', 'create'],
    ['POST', 'copy'],
    ['POST', 'push'],
    ['DELETE', 'delete'],
    ['POST', 'blobs/sha256:a'],
    ['POST', 'anything'],
  ])('%s /api/%s, with a list of the paths that Sotto has', async (method, path) => {
    const response = await fetch(`${host}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    })
    expect(await error(response)).toEqual([
      404,
      expect.stringMatching(/Near paths: (?=.*GET \/api\/tags)(?=.*POST \/api\/chat)(?!.*OpenAI)/),
    ])
  })
  it('a wrong method or a mistyped path, with the nearest path', async () => {
    expect(await error(await get('/api/chat', {}))).toEqual([
      404,
      expect.stringContaining('Near paths: POST /api/chat. Use'),
    ])
    expect(await error(await world.post(chat, {}, '//api/chats/'))).toEqual([
      404,
      expect.stringContaining('Near paths: POST /api/chat. Use'),
    ])
  })
  it('a model in the URL', async () => {
    for (const path of ['/api/chat', '/api/show', '/api/embed'])
      expect(await error(await world.post(chat, {}, `${path}?model=${PRIVATE_MODEL}`))).toEqual([
        400,
        expect.stringContaining('not in the URL'),
      ])
  })
  it('with the npm client’s own error class', async () => {
    const keyless = new Ollama({ host })
    await expect(keyless.list()).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 401,
      error: expect.stringContaining('Authorization: Bearer') as unknown,
    })
    await expect(client.pull({ model: PLAINTEXT_MODEL })).rejects.toMatchObject({
      status_code: 404,
      error: expect.stringContaining('cannot download') as unknown,
    })
  })
})

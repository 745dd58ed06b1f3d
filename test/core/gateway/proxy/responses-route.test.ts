import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { clientOf } from '../../../../src/cli/client.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import { ResponseCache } from '../../../../src/core/gateway/proxy/response-cache.ts'
import { formsOf } from '../../../canary.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const PASSPHRASE = 'correct horse'
const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    strict: false,
  },
]
const question = 'Please call get_weather with {"city":"Oslo"}'
const long = { input: 'Write 20000 words about tides', max_output_tokens: 30_000 }

let world: World
let openai: OpenAI
const sdk = (apiKey: string): OpenAI => new OpenAI({ baseURL: world.baseUrl, apiKey, maxRetries: 0 })
beforeAll(async () => {
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: PASSPHRASE }),
  })
  openai = sdk(world.key)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

const newKey = async (limits: object = {}): Promise<{ key: { id: string }; secret: string }> =>
  (await world.call('localApi/create', { name: `Tool ${randomUUID().slice(0, 8)}`, limits })) as {
    key: { id: string }
    secret: string
  }
const unknown = { status: 404, code: 'response/unknown' }

describe.each([PRIVATE_MODEL, PLAINTEXT_MODEL])('the official SDK with %s', (model) => {
  const create = (
    body: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {},
  ): Promise<OpenAI.Responses.Response> =>
    openai.responses.create({ model, input: 'Tell me about whispers', max_output_tokens: 200, ...body })
  const stream = (body: object = {}): ReturnType<OpenAI['responses']['stream']> =>
    openai.responses.stream({ model, input: 'Tell me about whispers', max_output_tokens: 200, ...body })
  const itemsOf = async (
    id: string,
    query: OpenAI.Responses.InputItemListParams = {},
  ): Promise<OpenAI.Responses.ResponseItem[]> =>
    await Array.fromAsync(openai.responses.inputItems.list(id, query))

  it.each([false, true])(
    'continues with a function call by previous_response_id: stream %s',
    async (streams) => {
      const turn = async (body: object): Promise<OpenAI.Responses.Response> =>
        streams ? await stream(body).finalResponse() : await create(body)
      const asked = await turn({ input: question, tools, instructions: 'You know the weather.' })
      const call = asked.output.find((item) => item.type === 'function_call')
      expect(asked).toMatchObject({
        status: 'completed',
        store: true,
        previous_response_id: null,
        instructions: 'You know the weather.',
      })
      expect(call).toMatchObject({ name: 'get_weather', status: 'completed' })
      const answered = await turn({
        previous_response_id: asked.id,
        tools,
        input: [{ type: 'function_call_output', call_id: call!.call_id, output: 'minus four and snow' }],
      })
      expect(answered).toMatchObject({
        status: 'completed',
        previous_response_id: asked.id,
        instructions: null,
      })
      expect(answered.output_text).toContain('minus four and snow')
      const third = await turn({ previous_response_id: answered.id, input: 'And now about harbours' })
      expect(third.output_text).toContain('This is message 2 of our chat.')
      expect(third.usage!.input_tokens).toBeGreaterThan(answered.usage!.input_tokens)
      const items = await itemsOf(third.id, { order: 'asc' })
      expect(items.map(({ type }) => type)).toEqual([
        'message',
        'function_call',
        'function_call_output',
        'message',
        'message',
      ])
      expect(items[1]).toEqual({
        ...call,
        ...('parsed_arguments' in call! && { parsed_arguments: undefined }),
      })
    },
  )

  it('retrieves what it was answered, with the IDs of the stream', async () => {
    const ids = new Set<string>()
    const events = stream()
    for await (const event of events)
      if ('item_id' in event && typeof event.item_id === 'string') ids.add(event.item_id)
    const final = await events.finalResponse()
    const stored = await openai.responses.retrieve(final.id)
    expect(stored.output.map((item) => item.id)).toEqual([...ids])
    expect(stored).toMatchObject({
      id: final.id,
      status: 'completed',
      output_text: final.output_text,
      usage: final.usage,
      created_at: final.created_at,
    })
    const whole = await create({
      metadata: { a: 'b' },
      temperature: 0.5,
      tools,
      tool_choice: 'none',
      // oxlint-disable-next-line typescript/no-deprecated -- tools still send it
      truncation: 'disabled',
    })
    expect(await openai.responses.retrieve(whole.id)).toEqual(whole)
  })

  it('takes references to items of several responses', async () => {
    const asked = await create({ input: question, tools })
    const call = asked.output.find((item) => item.type === 'function_call')!
    const [first] = await itemsOf(asked.id)
    const answered = await create({
      tools,
      input: [
        { type: 'item_reference', id: first!.id },
        { type: 'item_reference', id: call.id! },
        { type: 'function_call_output', call_id: call.call_id, output: 'half past ten' },
      ],
    })
    expect(answered.output_text).toContain('half past ten')
    await expect(create({ input: [{ type: 'item_reference', id: 'msg_none' }] })).rejects.toMatchObject({
      ...unknown,
      param: 'input[0].id',
    })
  })

  it('lists input items page by page', async () => {
    const { id } = await create({
      input: Array.from({ length: 7 }, (_, at) => ({
        role: 'user' as const,
        content: `Question ${String(at)}`,
      })),
    })
    const page = await openai.responses.inputItems.list(id, { limit: 3 })
    expect([page.data.length, page.has_more]).toEqual([3, true])
    const all = await itemsOf(id, { limit: 3 })
    expect(all).toEqual((await itemsOf(id, { limit: 100, order: 'asc' })).reverse())
    expect(all.map((item) => item.type === 'message' && item.content)).toEqual(
      Array.from({ length: 7 }, (_, at) => [{ type: 'input_text', text: `Question ${String(6 - at)}` }]),
    )
    await expect(openai.responses.inputItems.list(id, { limit: 101 })).rejects.toMatchObject({
      status: 400,
      code: 'proxy/invalid-request',
      param: 'limit',
    })
  })

  it('deletes a response, and keeps the ones that continued it', async () => {
    const first = await create()
    const second = await create({ previous_response_id: first.id, input: 'And harbours?' })
    expect(await (await openai.responses.delete(first.id).asResponse()).json()).toEqual({
      id: first.id,
      object: 'response',
      deleted: true,
    })
    await expect(openai.responses.retrieve(first.id)).rejects.toMatchObject(unknown)
    await expect(openai.responses.delete(first.id)).rejects.toMatchObject(unknown)
    await expect(create({ previous_response_id: first.id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    })
    expect((await create({ previous_response_id: second.id, input: 'And tides?' })).output_text).toContain(
      'This is message 3 of our chat.',
    )
  })

  it('cancels a response during its stream, whose tool reads that it failed', async () => {
    const events = await openai.responses.create({ model, ...long, stream: true })
    let id = ''
    let cancelled: OpenAI.Responses.Response | undefined
    const read = async (): Promise<void> => {
      for await (const event of events) {
        if (event.type === 'response.created') id = event.response.id
        if (event.type !== 'response.output_text.delta' || cancelled) continue
        expect(await openai.responses.retrieve(id)).toMatchObject({ status: 'in_progress', output: [] })
        cancelled = await openai.responses.cancel(id)
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'request/canceled' })
    expect(cancelled).toMatchObject({
      id,
      status: 'cancelled',
      output: [{ type: 'message', status: 'incomplete' }],
    })
    expect(await openai.responses.retrieve(id)).toMatchObject({ id, status: 'cancelled' })
    await expect.poll(() => chatRequests(world.sandbox).map(({ aborted }) => aborted)).toEqual([true])
    await expect(openai.responses.cancel(id)).rejects.toMatchObject({
      status: 400,
      code: 'response/not-running',
    })
    await expect(openai.responses.cancel('resp_none')).rejects.toMatchObject(unknown)
  })

  it('can be canceled by a key that may run one request at a time', async () => {
    const { secret } = await newKey({ parallelRequests: 1 })
    const events = await sdk(secret).responses.create({ model, ...long, stream: true })
    const read = async (): Promise<void> => {
      for await (const event of events)
        if (event.type === 'response.created')
          expect(await sdk(secret).responses.cancel(event.response.id)).toMatchObject({ status: 'cancelled' })
    }
    await expect(read()).rejects.toMatchObject({ code: 'request/canceled' })
  })

  it('keeps the output so far if the caller goes away', async () => {
    let id = ''
    for await (const event of await openai.responses.create({ model, ...long, stream: true })) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    await expect.poll(async () => (await openai.responses.retrieve(id)).status).toBe('cancelled')
  })

  it('keeps a response that failed, and one that is incomplete', async () => {
    expect(await openai.responses.retrieve((await create({ max_output_tokens: 5 })).id)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    world.sandbox.setFault('cut-on-frame-boundary', true)
    let id = ''
    try {
      const read = async (): Promise<void> => {
        for await (const event of await openai.responses.create({ model, ...long, stream: true }))
          if (event.type === 'response.created') id = event.response.id
      }
      await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError)
    } finally {
      world.sandbox.setFault('cut-on-frame-boundary', false)
    }
    expect(await openai.responses.retrieve(id)).toMatchObject({
      status: 'failed',
      output: [],
      error: { code: expect.stringMatching(/^(channel|service)\//) as string },
    })
  })

  it('keeps nothing with store: false', async () => {
    const created = await create({ store: false })
    const { id, output } = created
    expect(created).toMatchObject({ store: false })
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject(unknown)
    await expect(create({ previous_response_id: id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    })
    await expect(create({ input: [{ type: 'item_reference', id: output[0]!.id! }] })).rejects.toMatchObject(
      unknown,
    )
  })

  it('keeps responses for the key that made them', async () => {
    const { id, output } = await create()
    const other = sdk((await newKey()).secret)
    await expect(other.responses.retrieve(id)).rejects.toMatchObject(unknown)
    await expect(other.responses.delete(id)).rejects.toMatchObject(unknown)
    await expect(other.responses.cancel(id)).rejects.toMatchObject(unknown)
    await expect(other.responses.inputItems.list(id)).rejects.toMatchObject(unknown)
    await expect(
      other.responses.create({ model, input: 'a', previous_response_id: id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    await expect(
      other.responses.create({ model, input: [{ type: 'item_reference', id: output[0]!.id! }] }),
    ).rejects.toMatchObject(unknown)
    expect(chatRequests(world.sandbox)).toHaveLength(1)
  })

  it('parses structured output, and streams it, as the SDK does by default', async () => {
    const format = zodTextFormat(z.object({ city: z.string(), degrees: z.int() }), 'weather')
    const input = 'How warm is it in Oslo, about 7?'
    const parsed = await openai.responses.parse({ model, input, text: { format } })
    expect(parsed.output_parsed).toEqual({ city: 'Oslo', degrees: 7 })
    expect(
      (
        await openai.responses
          .stream({ model, input, text: { format }, previous_response_id: parsed.id })
          .finalResponse()
      ).output_parsed,
    ).toEqual({ city: 'Oslo', degrees: 7 })
  })

  it('counts the whole conversation against a budget', async () => {
    const { key, secret } = await newKey({ budget: { picoUsd: '1000000000000000', period: 'day' } })
    const ask = (body: object): Promise<OpenAI.Responses.Response> =>
      sdk(secret).responses.create({ model, max_output_tokens: 20, ...body })
    const first = await ask({ input: 'river '.repeat(5_000) })
    const { spent } = (await clientOf(world.core).localApi.keys()).find(({ id }) => id === key.id)!
    expect(BigInt(spent)).toBeGreaterThan(0n)
    // Half of the first request is left: enough for a short one.
    await world.call('localApi/update', {
      keyId: key.id,
      limits: { budget: { picoUsd: ((BigInt(spent) * 3n) / 2n).toString(), period: 'day' } },
    })
    await expect(ask({ input: 'a', previous_response_id: first.id })).rejects.toMatchObject({
      status: 402,
      code: 'budget/exceeded',
    })
    expect((await ask({ input: 'a' })).output_text.length).toBeGreaterThan(0)
  })
})

describe('a private conversation stays private', () => {
  const canary = `canary-${randomUUID()}`

  it('and no model that the service reads can continue it', async () => {
    const { length } = world.outbound
    const created = await openai.responses.create({
      model: PRIVATE_MODEL,
      input: `Say ${canary}`,
      max_output_tokens: 50,
    })
    const item = created.output[0]!.id!
    for (const body of [
      { previous_response_id: created.id, input: 'go on' },
      { input: [{ type: 'item_reference' as const, id: item }] },
    ]) {
      await expect(
        openai.responses.create({ model: PLAINTEXT_MODEL, max_output_tokens: 50, ...body }),
      ).rejects.toMatchObject({ status: 400, code: 'privacy/earlier-response', param: 'model' })
    }
    expect(formsOf(canary, Buffer.concat(world.outbound.slice(length)))).toEqual([])
    expect(
      (
        await openai.responses.create({
          model: PRIVATE_MODEL,
          max_output_tokens: 50,
          previous_response_id: created.id,
          input: 'go on',
        })
      ).output_text,
    ).toContain('message 2')
  })
  it('even after a turn with text that was readable before', async () => {
    const readable = await openai.responses.create({
      model: PLAINTEXT_MODEL,
      input: 'hello',
      max_output_tokens: 50,
    })
    const sealed = await openai.responses.create({
      model: PRIVATE_MODEL,
      input: `Say ${canary}`,
      max_output_tokens: 50,
      previous_response_id: readable.id,
    })
    await expect(
      openai.responses.create({ model: PLAINTEXT_MODEL, input: 'go on', previous_response_id: sealed.id }),
    ).rejects.toMatchObject({ code: 'privacy/earlier-response' })
    expect(
      (
        await openai.responses.create({
          model: PLAINTEXT_MODEL,
          input: 'go on',
          max_output_tokens: 50,
          previous_response_id: readable.id,
        })
      ).output_text.length,
    ).toBeGreaterThan(0)
  })
  it('and nothing of it is on disk', async () => {
    await openai.responses.create({ model: PRIVATE_MODEL, input: `Say ${canary}`, max_output_tokens: 50 })
    const files = (await readdir(world.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(0)
    for (const file of files)
      expect(formsOf(canary, await readFile(join(file.parentPath, file.name)))).toEqual([])
  })
})

describe('a stored response is dropped', () => {
  const create = (secret = world.key): Promise<OpenAI.Responses.Response> =>
    sdk(secret).responses.create({ model: PRIVATE_MODEL, input: 'hello', max_output_tokens: 20 })

  it('after an hour', async () => {
    const { id } = await create()
    world.clock.ahead += 3_599_000
    expect(await openai.responses.retrieve(id)).toMatchObject({ id })
    world.clock.ahead += 60_000
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject(unknown)
  })
  it('when the account changes', async () => {
    const { id } = await create()
    const client = clientOf(world.core)
    const before = (await client.accounts.list()).find(({ active }) => active)!.id
    await client.accounts.disconnect()
    await client.accounts.activate({ accountId: before })
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject(unknown)
  })
  it('when its key is rotated', async () => {
    const { id } = await create()
    const { secret } = await clientOf(world.core).localApi.rotate()
    await expect(sdk(secret).responses.retrieve(id)).rejects.toMatchObject(unknown)
    openai = sdk(secret)
  })
  it('when the vault locks', async () => {
    const begin = vi.spyOn(ResponseCache.prototype, 'begin')
    const other = await startWorld()
    try {
      const of = new OpenAI({ baseURL: other.baseUrl, apiKey: other.key, maxRetries: 0 })
      const { id } = await of.responses.create({
        model: PRIVATE_MODEL,
        input: 'hello',
        max_output_tokens: 20,
      })
      expect(await of.responses.retrieve(id)).toMatchObject({ id })
      const [cache] = begin.mock.contexts as ResponseCache[]
      expect(cache!.size).toBe(1)
      await other.core.lock()
      expect([cache!.size, cache!.bytes]).toEqual([0, 0])
      await expect(of.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.APIConnectionError)
    } finally {
      begin.mockRestore()
      await other[Symbol.asyncDispose]()
    }
  })
})

describe('what Sotto does not keep is refused by its name', () => {
  const ask = async (method: string, path: string, body?: object): Promise<object> => {
    const response = await fetch(`${world.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${openai.apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { error } = (await response.json()) as {
      error: { code: string; param: string | null; message: string }
    }
    return { status: response.status, ...error }
  }
  it.each([
    ['background', { background: true }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'p' } }],
  ])('%s', async (param, more) => {
    expect(await ask('POST', '/responses', { model: PRIVATE_MODEL, input: 'a', ...more })).toMatchObject({
      status: 400,
      code: 'dialect/unsupported',
      param,
    })
  })
  it('events of a response that has ended', async () => {
    const { id } = await openai.responses.create({ model: PRIVATE_MODEL, input: 'a', max_output_tokens: 5 })
    expect(await ask('GET', `/responses/${id}?stream=true`)).toMatchObject({
      status: 400,
      code: 'dialect/unsupported',
      param: 'stream',
    })
    expect(await ask('GET', `/responses/${id}?starting_after=3`)).toMatchObject({
      status: 400,
      code: 'dialect/unsupported',
      param: 'starting_after',
    })
    expect(
      await ask('GET', `/responses/${id}?stream=false&include[]=reasoning.encrypted_content`),
    ).not.toHaveProperty('code')
  })
  it.each([
    ['GET', '/responses'],
    ['POST', '/responses/compact'],
    ['POST', '/responses/input_tokens'],
    ['PATCH', '/responses/resp_1'],
  ])('%s %s', async (method, path) => {
    expect(await ask(method, path, method === 'GET' ? undefined : {})).toMatchObject({
      status: 400,
      code: 'dialect/unsupported',
    })
  })
  it('the WebSocket mode', async () => {
    const response = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      import('node:http').then(({ get }) => {
        get(
          `${world.baseUrl}/responses`,
          {
            headers: {
              authorization: `Bearer ${String(openai.apiKey)}`,
              connection: 'Upgrade',
              upgrade: 'websocket',
              'sec-websocket-version': '13',
              'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
            },
          },
          (message) => {
            let text = ''
            message
              .setEncoding('utf8')
              .on('data', (piece: string) => (text += piece))
              .on('end', () => resolve({ status: message.statusCode, text }))
          },
        ).on('error', reject)
      }, reject)
    })
    expect(response.status).toBe(400)
    expect(response.text).toContain('WebSocket mode')
  })
})

import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { createAccount, postChat, startTestSandbox, type TestAccount } from './cached-roots.ts'

let sandbox: Sandbox
let account: TestAccount
let client: OpenAI
beforeAll(async () => {
  sandbox = await startTestSandbox()
  account = await createAccount(sandbox)
  client = new OpenAI({ baseURL: `${sandbox.baseUrl}/v1`, apiKey: account.apiKey, maxRetries: 0 })
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

const model = 'sandbox/allegro-mini'

function ask(content: string): OpenAI.ChatCompletionMessageParam[] {
  return [{ role: 'user', content }]
}

describe('the official client', () => {
  test('lists the models', async () => {
    const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id)
    expect(ids).toContain(model)
    expect(ids.every((id) => id.includes('sandbox'))).toBe(true)
  })

  test('gets a Markdown reply that quotes the prompt and names the sandbox', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: ask('How do bees find their way home? Show a table and some Python code.'),
    })
    const text = completion.choices[0]?.message.content ?? ''
    expect(text).toMatch(/sandbox/i)
    expect(text).toMatch(/simulate(?:d|s)/i)
    expect(text).toContain('> How do bees find their way home?')
    expect(text).toMatch(/^## /m)
    expect(text).toMatch(/^\| .+ \|$/m)
    expect(text).toContain('```python')
    expect(text).toMatch(/^(?:-|1\.) /m)
    expect(completion.choices[0]?.finish_reason).toBe('stop')
    expect(completion.usage?.total_tokens).toBe(
      (completion.usage?.prompt_tokens ?? 0) + (completion.usage?.completion_tokens ?? 0),
    )
  })

  test('gets the same reply for the same prompt, and another reply for another prompt', async () => {
    const answer = async (content: string) =>
      (await client.chat.completions.create({ model, messages: ask(content) })).choices[0]?.message.content
    expect(await answer('Why is the sea salty?')).toBe(await answer('Why is the sea salty?'))
    expect(await answer('Why is the sea salty?')).not.toBe(await answer('Why is the sky blue?'))
  })

  test('gets the same reply as a stream, with usage if requested', async () => {
    const messages = ask('A plan for learning the cello')
    const whole = await client.chat.completions.create({ model, messages })
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    )
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
    const plain = await Array.fromAsync(
      await client.chat.completions.create({ model, messages, stream: true }),
    )
    expect(plain.every((chunk) => chunk.usage === undefined)).toBe(true)
  })

  test('gets a stream that begins with a comment, followed by JSON events and [DONE]', async () => {
    const text = await (await postChat(sandbox, account, { stream: true })).text()
    const blocks = text.split('\n\n').slice(0, -1)
    expect(blocks[0]).toMatch(/^: /)
    expect(blocks.at(-1)).toBe('data: [DONE]')
    const events = blocks.slice(0, -1).filter((block) => !block.startsWith(':'))
    expect(
      events.map((event) => (JSON.parse(event.replace(/^data: /, '')) as { object: string }).object),
    ).toEqual(events.map(() => 'chat.completion.chunk'))
    expect(events.length).toBeGreaterThan(1)
  })

  test('gets a reply that ends by max_tokens or stop', async () => {
    const messages = ask('Write 400 words about lighthouses')
    const short = await client.chat.completions.create({ model, messages, max_completion_tokens: 7 })
    expect([short.choices[0]?.finish_reason, short.usage?.completion_tokens]).toEqual(['length', 7])
    const stopped = await client.chat.completions.create({ model, messages, stop: ['\n\n', 'never there'] })
    expect(stopped.choices[0]?.finish_reason).toBe('stop')
    expect(stopped.choices[0]?.message.content).not.toContain('\n\n')
    const long = await client.chat.completions.create({ model, messages })
    expect((long.choices[0]?.message.content ?? '').split(/\s+/).length).toBeGreaterThan(380)
  })

  test('gets the type of an image, without a look at its content', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEklEQVR4nGP8z8DwnwEKmGAMADgPAwOkFEuJAAAAAElFTkSuQmCC'
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is in this picture?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.jpg' } },
        ],
      },
    ]
    const completion = await client.chat.completions.create({ model: 'sandbox/belvedere-vision', messages })
    const text = completion.choices[0]?.message.content ?? ''
    expect(text).toContain(
      `an image of type \`image/png\`, ${Buffer.byteLength(png, 'base64')} bytes, 2 × 3 pixels`,
    )
    expect(text).toContain('The sandbox doesn’t open links')
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 400 })
  })

  test('gets JSON that matches a given schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        nights: { type: 'integer', minimum: 1 },
        class: { enum: ['first', 'second'] },
      },
      required: ['city', 'nights', 'class'],
    }
    const completion = await client.chat.completions.create({
      model,
      messages: ask('Book 3 nights in Trieste, second class'),
      response_format: { type: 'json_schema', json_schema: { name: 'booking', schema } },
    })
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({
      city: 'Trieste',
      nights: 3,
      class: 'second',
    })
  })
})

describe('tools', () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    // Parameters are optional in OpenAI's specification, and agents omit them.
    { type: 'function', function: { name: 'enter_plan_mode' } },
    {
      type: 'function',
      function: {
        name: 'send_mail',
        description: 'Sends a mail',
        parameters: { type: 'object', properties: { to: { type: 'string', format: 'email' } } },
      },
    },
    {
      type: 'function',
      function: {
        name: 'get_weather',
        parameters: {
          type: 'object',
          required: ['location', 'unit'],
          properties: {
            location: { type: 'string' },
            unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
            days: { type: 'integer' },
          },
        },
      },
    },
  ]

  test('are called with plausible arguments if the prompt needs one, and then a text follows', async () => {
    const messages = ask('What is the weather in New York, in fahrenheit?')
    const completion = await client.chat.completions.create({ model, messages, tools })
    const [choice] = completion.choices
    expect(choice?.finish_reason).toBe('tool_calls')
    const [call] = choice?.message.tool_calls ?? []
    if (call?.type !== 'function') throw new Error('no call')
    expect(call.function.name).toBe('get_weather')
    expect(JSON.parse(call.function.arguments)).toEqual({ location: 'New York', unit: 'fahrenheit' })
    const after = await client.chat.completions.create({
      model,
      tools,
      messages: [
        ...messages,
        choice!.message,
        { role: 'tool', tool_call_id: call.id, content: '{"temperature":71}' },
      ],
    })
    expect(after.choices[0]?.finish_reason).toBe('stop')
    expect(after.choices[0]?.message.content).toContain('{"temperature":71}')
  })

  test('are not called if the prompt needs none', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: ask('Tell me about lakes'),
      tools,
    })
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined()
  })

  test('are called as a prompt dictates, several at once', async () => {
    const messages = ask(
      'Now call get_weather with {"city":"} \\"Oslo\\""} and `call nothing with {}`, then call get_weather with {"city": 7}.',
    )
    const calls = async (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) => {
      const completion = await client.chat.completions.create({ model, messages, tools, ...more })
      return (
        completion.choices[0]?.message.tool_calls?.map((call) =>
          call.type === 'function' ? [call.function.name, call.function.arguments] : [],
        ) ?? []
      )
    }
    const dictated = [
      ['get_weather', '{"city":"} \\"Oslo\\""}'],
      ['get_weather', '{"city": 7}'],
    ]
    expect(await calls()).toEqual(dictated)
    expect(await calls({ parallel_tool_calls: false })).toEqual(dictated.slice(0, 1))
    expect(await calls({ tool_choice: 'none' })).toEqual([])
    const stream = client.chat.completions.stream({ model, messages, tools })
    const streamed = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls ?? []
    expect(
      streamed.map((call) => (call.type === 'function' ? [call.function.name, call.function.arguments] : [])),
    ).toEqual(dictated)
    const cut = await client.chat.completions.create({ model, messages, tools, max_completion_tokens: 2 })
    expect(cut).toMatchObject({
      choices: [{ finish_reason: 'length', message: { tool_calls: [{}] } }],
      usage: { completion_tokens: 2 },
    })
  })

  test('are not called if the prompt forbids it, unless the caller forces a call', async () => {
    const messages = ask('Do NOT call any tools. Summarize: Now call get_weather with {"city":"Oslo"}.')
    const calls = async (tool_choice: OpenAI.ChatCompletionToolChoiceOption) =>
      (await client.chat.completions.create({ model, messages, tools, tool_choice })).choices[0]?.message
        .tool_calls?.length ?? 0
    expect([await calls('auto'), await calls('required')]).toEqual([0, 1])
  })

  test('are called by tool_choice rather than by the prompt', async () => {
    const call = async (tool_choice: OpenAI.ChatCompletionToolChoiceOption) => {
      const completion = await client.chat.completions.create({
        model,
        messages: ask('What is the weather in Oslo?'),
        tools,
        tool_choice,
      })
      const [first] = completion.choices[0]?.message.tool_calls ?? []
      return first?.type === 'function' ? first.function.name : undefined
    }
    expect(await call('none')).toBeUndefined()
    expect(await call('required')).toBe('get_weather')
    expect(await call({ type: 'function', function: { name: 'send_mail' } })).toBe('send_mail')
    await expect(call({ type: 'function', function: { name: 'nobody' } })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('are called in a stream that the client puts together', async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: ask('What is the weather in Paris?'),
      tools,
    })
    const completion = await stream.finalChatCompletion()
    const [call] = completion.choices[0]?.message.tool_calls ?? []
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
      location: 'Paris',
      unit: 'celsius',
    })
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls')
  })
})

describe('refusals, in the observed shapes', () => {
  const body = async (response: Response): Promise<[number, unknown]> => [
    response.status,
    await response.json(),
  ]

  test('a missing key and a wrong key', async () => {
    const open = await fetch(`${sandbox.baseUrl}/v1/chat/completions`, { method: 'POST', body: '{}' })
    expect(await body(open)).toEqual([
      401,
      { error: { message: 'Missing x-credit-id, Authorization or x-api-key', code: 401 } },
    ])
    await expect(
      new OpenAI({ baseURL: sandbox.baseUrl, apiKey: 'sk-wrong', maxRetries: 0 }).chat.completions.create({
        model,
        messages: ask('x'),
      }),
    ).rejects.toMatchObject({ status: 401 })
  })

  test('the account’s ID and x-api-key are accepted', async () => {
    const ways: Record<string, string>[] = [
      { 'x-credit-id': account.creditId },
      { 'x-api-key': account.apiKey },
    ]
    for (const headers of ways) {
      const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model, messages: ask('x') }),
      })
      expect(response.status).toBe(200)
    }
    // In the specification, only top-up creation and the history read this header.
    const other = await fetch(`${sandbox.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': account.apiKey },
      body: JSON.stringify({ model, messages: ask('x') }),
    })
    expect(other.status).toBe(401)
  })

  test('a private model in plaintext, an unknown model, and a model of another kind', async () => {
    expect((await postChat(sandbox, account, { model: 'private/sandbox-lento-8b' })).status).toBe(400)
    expect(await body(await postChat(sandbox, account, { model: 'sandbox/nobody' }))).toEqual([
      404,
      { error: { message: 'Unknown model: sandbox/nobody', code: 404 } },
    ])
    expect((await postChat(sandbox, account, { model: 'sandbox/affresco-image' })).status).toBe(404)
  })

  test.each([
    ['no messages', { messages: [] }],
    ['a role of nobody', { messages: [{ role: 'king', content: 'x' }] }],
    ['two answers at once', { n: 2 }],
    ['a negative limit', { max_tokens: -1 }],
  ])('%s: 400', async (_, rest) => {
    expect((await postChat(sandbox, account, rest)).status).toBe(400)
  })

  test('a body that isn’t JSON', async () => {
    const response = await postChat(sandbox, account, {}, { body: Buffer.from('7b22ff', 'hex') })
    expect(await body(response)).toEqual([
      400,
      { error: { message: 'The body is not valid JSON', code: 400 } },
    ])
  })

  test('the faults of the service', async () => {
    const answered: Record<number, unknown> = {}
    for (const fault of ['status-401', 'status-402', 'status-429', 'status-500-html'] as const) {
      sandbox.setFault(fault, true)
      const response = await postChat(sandbox, account, {})
      answered[response.status] = await response.text()
      if (fault === 'status-429') expect(response.headers.get('retry-after')).toBe('7')
      sandbox.setFault(fault, false)
    }
    expect(answered).toEqual({
      401: '{"error":"Invalid API key","message":"API key not found or has been revoked"}',
      402: '{"error":"Insufficient credit."}',
      429: '{"status":"error","statusCode":429,"message":"Too Many Requests"}',
      500: expect.stringMatching(/^<!DOCTYPE html>/) as string,
    })
  })

  test('a cut reply ends the connection cleanly, without [DONE]', async () => {
    for (const fault of ['cut-inside-frame', 'cut-on-frame-boundary'] as const) {
      sandbox.setFault(fault, true)
      const text = await (await postChat(sandbox, account, { stream: true })).text()
      expect(text).toContain('data: {')
      expect(text).not.toContain('[DONE]')
      expect(text.endsWith('\n\n')).toBe(fault === 'cut-on-frame-boundary')
      sandbox.setFault(fault, false)
    }
  })
})

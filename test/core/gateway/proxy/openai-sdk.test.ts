import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../../../world.ts'

/** The official SDK, unchanged: only the base URL and the key are Sotto's. */
let world: World
let openai: OpenAI
beforeAll(async () => {
  world = await startWorld()
  openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
})
afterAll(() => world[Symbol.asyncDispose]())

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('models', () => {
  it('lists private and public models', async () => {
    const ids = (await openai.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([PRIVATE_MODEL, PLAINTEXT_MODEL]))
  })
  it('returns a model by its ID, which contains slashes', async () => {
    expect(await openai.models.retrieve(PRIVATE_MODEL)).toMatchObject({ id: PRIVATE_MODEL, object: 'model' })
    await expect(openai.models.retrieve('private/none')).rejects.toThrow(NotFoundError)
  })
})

describe.each([
  [PRIVATE_MODEL, 'sealed', PRIVATE_VISION_MODEL],
  [PLAINTEXT_MODEL, 'forwarded', PLAINTEXT_VISION_MODEL],
])('chat with %s', (model, privacy, visionModel) => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Tell me about whispers' }]

  it('returns a reply in one piece, with its privacy and its receipt', async () => {
    const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse()
    expect(data.choices[0]?.message.content).toBeTruthy()
    expect(data.usage?.completion_tokens).toBeGreaterThan(0)
    expect(response.headers.get('x-sotto-privacy')).toBe(privacy)
    expect(response.headers.get('x-sotto-service')).toBe('sandbox')
    const receipt = await world.call('receipts/get', { receiptId: response.headers.get('x-sotto-receipt') })
    expect(receipt).toMatchObject({
      model,
      privacy,
      outcome: 'complete',
      usage: { completion: data.usage?.completion_tokens },
    })
    expect(receipt).toHaveProperty('cost', expect.stringMatching(/^[1-9]\d*$/))
    expect(receipt).toHaveProperty('requestDigest', expect.stringMatching(/^[0-9a-f]{64}$/))
    if (privacy === 'sealed')
      expect(receipt).toHaveProperty('enclave.measurement', expect.stringMatching(/^[0-9a-f]{96}$/))
  })

  it('streams a reply', async () => {
    const { data: stream, response } = await openai.chat.completions
      .create({ model, messages, stream: true })
      .withResponse()
    let text = ''
    let finish: string | null = null
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
      expect(chunk.usage ?? null).toBeNull()
    }
    expect(text.length).toBeGreaterThan(20)
    expect(finish).toBe('stop')
    expect(response.headers.get('x-sotto-privacy')).toBe(privacy)
  })

  it('streams the usage if it is requested', async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) usage = chunk.usage ?? usage
    expect(usage?.completion_tokens).toBeGreaterThan(0)
  })

  it('stops if the caller stops: the upstream request ends, and the ledger records it', async () => {
    const before = world.sandbox.ledger().length
    const stream = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Write a story of 3000 words.' }],
      stream: true,
    })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    await expect
      .poll(() =>
        world.sandbox
          .ledger()
          .slice(before)
          .map(({ aborted }) => aborted),
      )
      .toEqual([true])
    await expect.poll(() => chatRequests(world.sandbox).at(-1)?.aborted).toBe(true)
  })

  it('accepts images', async () => {
    const answer = await openai.chat.completions.create({
      model: visionModel,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: pixel } },
          ],
        },
      ],
    })
    expect(answer.choices[0]?.message.content).toMatch(/png/i)
  })

  it('calls tools, in one piece and streamed', async () => {
    const ask = {
      model,
      messages: [{ role: 'user' as const, content: 'Weather in Oslo?' }],
      tools,
      tool_choice: { type: 'function' as const, function: { name: 'get_weather' } },
    }
    const answer = await openai.chat.completions.create(ask)
    const call = answer.choices[0]?.message.tool_calls?.[0]
    expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } })
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
    let args = ''
    for await (const chunk of await openai.chat.completions.create({ ...ask, stream: true }))
      args += chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? ''
    expect(JSON.parse(args)).toHaveProperty('city')
    const followed = await openai.chat.completions.create({
      model,
      tools,
      messages: [
        ...ask.messages,
        answer.choices[0]!.message,
        { role: 'tool', tool_call_id: call!.id, content: '{"celsius":4}' },
      ],
    })
    expect(followed.choices[0]?.message.content).toBeTruthy()
  })
})

describe('errors arrive as the SDK’s own classes', () => {
  const messages = [{ role: 'user' as const, content: 'x' }]

  it('AuthenticationError, NotFoundError, BadRequestError', async () => {
    await expect(
      new OpenAI({ baseURL: world.baseUrl, apiKey: 'wrong', maxRetries: 0 }).models.list(),
    ).rejects.toThrow(AuthenticationError)
    await expect(openai.chat.completions.create({ model: 'none', messages })).rejects.toThrow(NotFoundError)
    await expect(
      openai.chat.completions.create({ model: PRIVATE_MODEL, messages, ...{ plugins: [{ id: 'web' }] } }),
    ).rejects.toThrow(BadRequestError)
  })

  it('an error in the middle of a stream', async () => {
    world.sandbox.setFault('cut-on-frame-boundary', true)
    try {
      const stream = await openai.chat.completions.create({ model: PRIVATE_MODEL, messages, stream: true })
      const read = async (): Promise<void> => {
        for await (const _ of stream);
      }
      const failure = await read().catch((thrown: unknown) => thrown)
      expect(failure).toBeInstanceOf(APIError)
      expect((failure as APIError).code).toBe('channel/response-truncated')
    } finally {
      world.sandbox.setFault('cut-on-frame-boundary', false)
    }
  })
})

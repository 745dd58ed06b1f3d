import { randomUUID } from 'node:crypto'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FetchResponse } from '../../../../../src/shared/fetch.ts'
import type { KeyLimitsText } from '../../../../../src/shared/key-limits.ts'
import type { SandboxFault } from '../../../../../src/shared/sandbox-faults.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  PRIVATE_VISION_MODEL,
  startWorld,
  type World,
} from '../../../../world.ts'
import { anthropicMessages, anthropicSdk } from './anthropic-client.ts'
import type { Access, Ask, Client, Turn } from './client.ts'
import { openAiChat, openAiResponses } from './openai-clients.ts'

/** The official SDKs, unchanged: only the base URL and the key are Sotto's. */
const clients: readonly (readonly [string, (access: Access) => Client])[] = [
  ['openai chat completions', openAiChat],
  ['openai responses', openAiResponses],
  ['anthropic messages', anthropicMessages],
]
const models = [
  { model: PRIVATE_MODEL, vision: PRIVATE_VISION_MODEL, privacy: 'sealed' },
  { model: PLAINTEXT_MODEL, vision: PLAINTEXT_VISION_MODEL, privacy: 'forwarded' },
] as const

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [
  { name: 'get_weather', parameters: city },
  { name: 'get_time', parameters: city },
]
const bothCalls =
  'Please call get_weather with {"city":"Oslo"} and call get_time with {"city":"Rome \\"}{\\" é"}'

let world: World
/** What the service answers to a chat instead of answering it. */
let turnedAway: readonly [number, object] | undefined
beforeAll(async () => {
  world = await startWorld({
    fetch: (fetch) => (url, init) =>
      turnedAway && url.endsWith('/chat/completions')
        ? Promise.resolve(jsonResponse(...turnedAway))
        : fetch(url, init),
  })
})
afterAll(() => world[Symbol.asyncDispose]())

describe.each(clients)('%s', (_name, connect) => {
  let client: Client
  beforeEach(() => {
    client = connect({ baseUrl: world.baseUrl, key: world.key })
  })

  describe.each(models)('with $model', ({ model, vision, privacy }) => {
    const hello: Turn = { role: 'user', text: 'Tell me about whispers' }
    const ask = (over: Partial<Ask> = {}): Ask => ({ model, turns: [hello], ...over })

    it('answers without streaming, and the receipt has the privacy and the usage', async () => {
      const reply = await client.ask(ask())
      expect(reply).toMatchObject({ calls: [], stop: 'end', privacy })
      expect(reply.text.length).toBeGreaterThan(50)
      expect(reply.usage.input).toBeGreaterThan(0)
      expect(await world.call('receipts/get', { receiptId: reply.receipt })).toMatchObject({
        model,
        privacy,
        outcome: 'complete',
        usage: { prompt: reply.usage.input, completion: reply.usage.output },
      })
    })

    it('streams the same answer with the same usage', async () => {
      const { text, usage, stop } = await client.ask(ask())
      expect(await client.ask(ask({ stream: true }))).toMatchObject({ text, usage, stop, calls: [] })
    })

    it.each([false, true])('reports that the answer reached the token limit: stream %s', async (stream) => {
      expect(await client.ask(ask({ maxTokens: 5, stream }))).toMatchObject({
        stop: 'length',
        usage: { output: 5 },
      })
    })

    it.each([false, true])(
      'calls two tools at once, and accepts their results: stream %s',
      async (stream) => {
        const question: Turn = { role: 'user', text: bothCalls }
        const asked = await client.ask(ask({ turns: [question], tools, stream }))
        expect(asked).toMatchObject({
          stop: 'calls',
          calls: [
            { name: 'get_weather', input: { city: 'Oslo' } },
            { name: 'get_time', input: { city: 'Rome "}{" é' } },
          ],
        })
        const [weather, time] = asked.calls
        expect(weather!.id).not.toBe(time!.id)
        const results = [
          { id: weather!.id, text: 'minus four' },
          { id: time!.id, text: 'half past ten' },
        ]
        const answered = await client.ask(
          ask({
            turns: [
              question,
              { role: 'assistant', text: asked.text, calls: asked.calls },
              { role: 'results', results },
            ],
            tools,
            stream,
          }),
        )
        expect(answered).toMatchObject({ stop: 'end', calls: [] })
        expect(answered.text).toContain('half past ten')
      },
    )

    it('obeys a limit of one call, a tool choice by name, and a tool choice of none', async () => {
      const turns: Turn[] = [{ role: 'user', text: bothCalls }]
      expect((await client.ask(ask({ turns, tools, oneCallAtATime: true }))).calls).toHaveLength(1)
      expect((await client.ask(ask({ tools, toolChoice: { name: 'get_time' } }))).calls).toMatchObject([
        { name: 'get_time' },
      ])
      expect((await client.ask(ask({ tools, toolChoice: 'required' }))).calls).toHaveLength(1)
      expect((await client.ask(ask({ turns, tools, toolChoice: 'none' }))).calls).toEqual([])
    })

    it.each([false, true])('accepts images: stream %s', async (stream) => {
      const { text } = await client.ask({
        model: vision,
        turns: [{ role: 'user', text: 'What is this?', image: pixel }],
        stream,
      })
      expect(text).toMatch(/image\/png.*70 bytes, 1 × 1 pixels/)
    })

    it('returns structured output', async () => {
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
        required: ['city', 'degrees'],
        additionalProperties: false,
      }
      const { text } = await client.ask(
        ask({ turns: [{ role: 'user', text: 'How warm is it in Oslo, about 7?' }], schema }),
      )
      expect(JSON.parse(text)).toEqual({ city: 'Oslo', degrees: 7 })
    })

    it('accepts a long conversation with a system prompt, with every turn in order', async () => {
      const turns = Array.from({ length: 41 }, (_, at): Turn =>
        at % 2 === 0
          ? { role: 'user', text: `Question number ${at} about harbours` }
          : { role: 'assistant', text: `Answer number ${at}` },
      )
      const { text, usage } = await client.ask(ask({ turns, system: 'You are brief. '.repeat(200) }))
      expect(text).toContain('This is message 21 of our chat.')
      expect(usage.input).toBeGreaterThan(1000)
    })

    it('cancels the request at the service when the caller aborts', async () => {
      const before = chatRequests(world.sandbox).length
      const abort = new AbortController()
      const read = async (): Promise<void> => {
        for await (const piece of client.pieces(
          ask({
            turns: [{ role: 'user', text: 'Write 20000 words about tides' }],
            maxTokens: 30_000,
            signal: abort.signal,
          }),
        ))
          if (piece !== '') abort.abort()
      }
      await read().catch(() => undefined)
      await expect
        .poll(() =>
          chatRequests(world.sandbox)
            .slice(before)
            .map(({ aborted }) => aborted),
        )
        .toEqual([true])
    })

    it('reports a stream that is cut off', async () => {
      world.sandbox.setFault('cut-on-frame-boundary', true)
      try {
        const failure = client.failure(
          await client.ask(ask({ stream: true })).then(
            () => undefined,
            (thrown: unknown) => thrown,
          ),
        )
        expect(failure.kind).toBeInstanceOf(client.anyError)
        expect(failure.code).toBe(privacy === 'sealed' ? 'channel/response-truncated' : 'service/interrupted')
      } finally {
        world.sandbox.setFault('cut-on-frame-boundary', false)
      }
    })
  })
})

/** The eight causes that must not be taken for one another, and what the SDKs make of them. */
const refusals: readonly {
  cause: string
  status: 400 | 401 | 402 | 403 | 404 | 429 | 502
  code: string
  ask?: Partial<Ask>
  key?: string
  limits?: KeyLimitsText
  fault?: SandboxFault
  answer?: readonly [number, object]
  model?: string
  twice?: true
}[] = [
  { cause: 'a wrong key', status: 401, code: 'auth/invalid-api-key', key: 'wrong' },
  {
    cause: 'a local budget',
    status: 402,
    code: 'budget/exceeded',
    limits: { budget: { picoUsd: '1', period: 'day' } },
  },
  {
    cause: 'a local limit on models',
    status: 403,
    code: 'auth/model-not-allowed',
    limits: { models: ['other/*'] },
  },
  {
    cause: 'a local limit on requests',
    status: 429,
    code: 'limit/requests',
    limits: { requestsPerMinute: 1 },
    twice: true,
  },
  {
    cause: 'a local limit on tokens',
    status: 429,
    code: 'limit/tokens',
    limits: { tokensPerMinute: 1 },
    twice: true,
  },
  {
    cause: 'a soft local budget that is spent',
    status: 402,
    code: 'budget/exceeded',
    limits: { budget: { picoUsd: '0', period: 'day', soft: true } },
  },
  {
    cause: 'the balance of the account',
    status: 402,
    code: 'service/insufficient-balance',
    fault: 'status-402',
  },
  {
    cause: 'the spending cap of the account’s key',
    status: 402,
    code: 'service/spending-cap',
    answer: [402, { error: 'Payment Required', message: 'API key usage limit exceeded' }],
  },
  {
    cause: 'too many requests to the service',
    status: 429,
    code: 'service/rate-limited',
    fault: 'status-429',
  },
  { cause: 'the account’s key', status: 401, code: 'service/key-refused', fault: 'status-401' },
  {
    cause: 'the attestation',
    status: 502,
    code: 'attestation/failed',
    fault: 'other-measurement',
    model: PRIVATE_MODEL,
  },
  { cause: 'the model', status: 404, code: 'model/unknown', model: 'private/none' },
  { cause: 'the input', status: 400, code: 'service/rejected', ask: { toolChoice: { name: 'none' }, tools } },
  {
    cause: 'a conversation grown too long',
    status: 400,
    code: 'context_length_exceeded',
    answer: [
      400,
      {
        error: {
          message: 'This model takes 8192 tokens',
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
    ],
  },
]

describe.each(refusals)(
  'a refusal caused by $cause has the code $code',
  ({ status, code, key, limits, fault, answer, twice, model = PLAINTEXT_MODEL, ask = {} }) => {
    it('in each SDK, with and without streaming, as its error class', async () => {
      const { baseUrl, sandbox } = world
      const secret = key ?? (limits ? await limitedKey(limits) : world.key)
      turnedAway = answer
      if (fault) sandbox.setFault(fault, true)
      try {
        if (fault === 'other-measurement') world.clock.ahead += 2 * 3600_000
        for (const [, connect] of clients) {
          const client = connect({ baseUrl, key: secret })
          const request: Ask = { model, turns: [{ role: 'user', text: 'hello' }], maxTokens: 100, ...ask }
          if (twice) await client.ask(request).catch(() => undefined)
          for (const stream of [false, true]) {
            const failure = client.failure(
              await client.ask({ ...request, stream }).then(
                () => undefined,
                (thrown: unknown) => thrown,
              ),
            )
            expect({ client: client.name, stream, status: failure.status, code: failure.code }).toEqual({
              client: client.name,
              stream,
              status,
              code,
            })
            expect(failure.kind).toBeInstanceOf(client.classes[status])
            expect(failure.message.length).toBeGreaterThan(30)
          }
        }
      } finally {
        if (fault) sandbox.setFault(fault, false)
        turnedAway = undefined
      }
    })
  },
)

async function limitedKey(limits: KeyLimitsText): Promise<string> {
  return (
    (await world.call('localApi/create', { name: `Limited ${randomUUID().slice(0, 8)}`, limits })) as {
      secret: string
    }
  ).secret
}

function jsonResponse(status: number, body: object): FetchResponse {
  return {
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: ReadableStream.from([Buffer.from(JSON.stringify(body))]),
  }
}

it('the Anthropic SDK’s tool runner, which requests a thread first, runs its tools without one', async () => {
  const ran: unknown[] = []
  const weather = betaTool({
    name: 'get_weather',
    description: 'The weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    run: (input) => {
      ran.push(input)
      return 'Rain'
    },
  })
  const answer = await anthropicSdk({ baseUrl: world.baseUrl, key: world.key }).beta.messages.toolRunner({
    model: PRIVATE_MODEL,
    max_tokens: 500,
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [weather],
  })
  expect(ran.length).toBeGreaterThan(0)
  expect(answer.stop_reason).toBe('end_turn')
})

describe('the web search of the Anthropic SDK', () => {
  const request = {
    max_tokens: 500,
    messages: [{ role: 'user', content: 'What is new about otters?' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
  } satisfies Omit<Parameters<ReturnType<typeof anthropicSdk>['messages']['create']>[0], 'model'>
  const messages = (): ReturnType<typeof anthropicSdk>['messages'] =>
    anthropicSdk({ baseUrl: world.baseUrl, key: world.key }).messages

  it('uses the service’s own search for a plaintext model, and names its sources', async () => {
    world.sandbox.clearReceived()
    const whole = await messages().create({ ...request, model: PLAINTEXT_MODEL })
    expect(whole.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')).toMatch(
      /\n\nSources:\n- .*https?:/,
    )
    const streamed = await messages()
      .stream({ ...request, model: PLAINTEXT_MODEL })
      .finalMessage()
    expect(
      streamed.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    ).toContain('Sources:')
    expect(chatRequests(world.sandbox)).toHaveLength(2)
  })
  it('is refused for a private model, and nothing is sent', async () => {
    world.sandbox.clearReceived()
    const failure = await messages()
      .create({ ...request, model: PRIVATE_MODEL })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('web_search') as string })
    expect(chatRequests(world.sandbox)).toHaveLength(0)
  })
  it('adds nothing to the token count', async () => {
    const { tools: _, ...without } = request
    expect(
      await messages().countTokens({
        model: PLAINTEXT_MODEL,
        messages: request.messages,
        tools: request.tools,
      }),
    ).toEqual(await messages().countTokens({ model: PLAINTEXT_MODEL, messages: without.messages }))
  })
})

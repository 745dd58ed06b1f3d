import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embed } from '../../src/sandbox/embedding/vectors.ts'
import { openAiClient } from './openai-client.ts'
import { bearer, dollar, startService, type Answered, type Service } from './service-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.control.setBalance(service.account.creditId, 10n * dollar))
afterAll(() => service[Symbol.asyncDispose]())

const small = 'sandbox/eco-embedding-small'
const large = 'sandbox/eco-embedding-large'
const ask = (body: unknown): Promise<Answered> =>
  service.call('POST', '/v1/embeddings', { body, headers: bearer(service.account.apiKey) })
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

describe('vectors', () => {
  test('have length 1, are the same for the same text, and close for similar texts', () => {
    const [cats, more, money] = [
      'The cat sleeps on the warm stove',
      'A cat is sleeping on a stove',
      'Interest rates rose by half a percent',
    ].map((text) => embed(text, 512)) as [Float32Array, Float32Array, Float32Array]
    expect(dot(cats, cats)).toBeCloseTo(1, 5)
    expect(embed('The cat sleeps on the warm stove', 512)).toEqual(cats)
    expect(dot(cats, more)).toBeGreaterThan(dot(cats, money) + 0.3)
  })

  test('exist for texts without letters', () => {
    for (const text of ['?', ' ', '…', '\u0000'])
      expect(dot(embed(text, 8), embed(text, 8))).toBeCloseTo(1, 5)
  })
})

describe('OpenAI’s client', () => {
  test('parses floats and base64, one text or a batch, and the usage', async () => {
    const client = openAiClient(service)
    const floats = await client.embeddings.create({
      model: small,
      input: ['one text', 'another text'],
      encoding_format: 'float',
    })
    // The client requests base64 if no format is given, and decodes it.
    const decoded = await client.embeddings.create({ model: small, input: 'one text' })
    expect(floats.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 512],
      [1, 512],
    ])
    expect(decoded.data[0]?.embedding).toEqual(floats.data[0]?.embedding)
    expect(floats.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
    expect(floats.model).toBe(small)
  })

  test('reports errors', async () => {
    await expect(openAiClient(service).embeddings.create({ model: small, input: '' })).rejects.toMatchObject({
      status: 400,
    })
    await expect(
      openAiClient(service, 'sk-0000000000000000000000').embeddings.create({ model: small, input: 'x' }),
    ).rejects.toMatchObject({ status: 401 })
  })
})

test('dimensions shortens the vectors of the model that supports it', async () => {
  const answer = await openAiClient(service).embeddings.create({
    model: large,
    input: 'short',
    dimensions: 64,
    encoding_format: 'float',
  })
  expect(answer.data[0]?.embedding).toHaveLength(64)
  expect(dot(answer.data[0]?.embedding ?? [], answer.data[0]?.embedding ?? [])).toBeCloseTo(1, 5)
})

test('a request costs its tokens, and is recorded', async () => {
  await ask({ model: small, input: ['1'.repeat(3000), '2'.repeat(300)] })
  const record = service.control.records().at(-1)
  expect(record).toMatchObject({
    model: small,
    type: 'embedding',
    source: 'api',
    inputCount: 1100,
    outputCount: 0,
    picoUsd: 1100n * 22_000n,
  })
  expect(service.control.unbalanced()).toEqual([])
})

test('an input of 8,191 tokens is accepted, and one more is refused', async () => {
  expect((await ask({ model: small, input: '1'.repeat(8191 * 3) })).status).toBe(200)
  const answer = await ask({ model: small, input: ['short', '1'.repeat(8191 * 3 + 1)] })
  expect([answer.status, answer.body.field]).toEqual([400, 'input.1'])
})

test.each([
  ['model', { input: 'x' }, 400],
  ['input', { model: small }, 400],
  ['input', { model: small, input: [] }, 400],
  ['input', { model: small, input: [1, 2] }, 400],
  ['encoding_format', { model: small, input: 'x', encoding_format: 'hex' }, 400],
  ['dimensions', { model: small, input: 'x', dimensions: 64 }, 400],
  ['dimensions', { model: large, input: 'x', dimensions: 1537 }, 400],
  ['dimensions', { model: large, input: 'x', dimensions: 0 }, 400],
  ['model', { model: 'sandbox/allegro-mini', input: 'x' }, 404],
  ['model', { model: 'no/such', input: 'x' }, 404],
])(
  'a request with an invalid %s (%j) is refused with status %i, and nothing is debited',
  async (field, body, status) => {
    const before = service.control.records().length
    const answer = await ask(body)
    expect([answer.status, answer.body.field]).toEqual([status, field])
    expect(service.control.records()).toHaveLength(before)
  },
)

test('a request without a key, with another content type or with an empty balance is refused', async () => {
  expect((await service.call('POST', '/v1/embeddings', { body: { model: small, input: 'x' } })).status).toBe(
    401,
  )
  expect(
    (
      await service.call('POST', '/v1/embeddings', {
        body: 'model=x',
        headers: { ...bearer(service.account.apiKey), 'content-type': 'text/plain' },
      })
    ).status,
  ).toBe(415)
  service.control.setBalance(service.account.creditId, 0n)
  expect((await ask({ model: small, input: 'x' })).status).toBe(402)
})

import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formsOf } from '../../../../canary.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../../world.ts'

let world: World
let client: OpenAI
beforeAll(async () => {
  world = await startWorld()
  client = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

describe.each([
  [PRIVATE_MODEL, 'sealed'],
  [PLAINTEXT_MODEL, 'forwarded'],
])('the legacy completions of %s', (model, privacy) => {
  it('answer in one piece', async () => {
    const { data, response } = await client.completions
      .create({ model, prompt: 'let x =', suffix: '\nlog(x)', max_tokens: 40 })
      .withResponse()
    expect(data).toMatchObject({ object: 'text_completion', model, choices: [{ index: 0, logprobs: null }] })
    expect(data.choices[0]?.text).not.toBe('')
    expect(data.usage?.total_tokens).toBeGreaterThan(2)
    expect(response.headers.get('x-sotto-privacy')).toBe(privacy)
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-sotto-receipt'))
  })

  it('stream the same text, and the usage', async () => {
    const whole = await client.completions.create({ model, prompt: 'let x =', max_tokens: 40 })
    let text = ''
    const finished: unknown[] = []
    let usage: OpenAI.CompletionUsage | undefined
    for await (const chunk of await client.completions.create({
      model,
      prompt: 'let x =',
      max_tokens: 40,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      text += chunk.choices[0]?.text ?? ''
      if (chunk.choices[0]?.finish_reason) finished.push(chunk.choices[0].finish_reason)
      usage = chunk.usage ?? usage
    }
    expect(text).toBe(whole.choices[0]?.text)
    expect(finished).toEqual([whole.choices[0]?.finish_reason])
    expect(usage?.total_tokens).toBe(whole.usage?.total_tokens)
  })

  it('end at 16 tokens without a limit', async () => {
    const { choices, usage } = await client.completions.create({
      model,
      prompt: 'Write a long story about the sea. '.repeat(20),
    })
    expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(['length', 16])
  })
})

it('lets nothing of a private prompt out unsealed', async () => {
  const canary = `canary-${randomUUID()}`
  const { length } = world.outbound
  await client.completions.create({ model: PRIVATE_MODEL, prompt: canary, suffix: canary, max_tokens: 5 })
  const sent = Buffer.concat(world.outbound.slice(length))
  expect(sent.byteLength).toBeGreaterThan(100)
  expect(formsOf(canary, sent)).toEqual([])
})

it('is refused in OpenAI’s shape, and sends nothing', async () => {
  await expect(client.completions.create({ model: PLAINTEXT_MODEL, prompt: ['a', 'b'] })).rejects.toThrow(
    BadRequestError,
  )
  await expect(
    client.completions.create({ model: PLAINTEXT_MODEL, prompt: 'a', logprobs: 2 }),
  ).rejects.toMatchObject({ status: 400, code: 'dialect/unsupported', param: 'logprobs' })
  await expect(client.completions.create({ model: 'none', prompt: 'a' })).rejects.toThrow(NotFoundError)
  expect(chatRequests(world.sandbox)).toEqual([])
})

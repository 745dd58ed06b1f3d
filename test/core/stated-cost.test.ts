import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/receipt.ts'
import { OPEN, PRIVATE, scriptedWorld } from '../scripted-world.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const newest = async (): Promise<Receipt> =>
  ((await world.call('receipts/list', { limit: 1 })) as Receipt[])[0]!

describe.each([PLAINTEXT_MODEL, PRIVATE_MODEL])('the sandbox with %s', (model) => {
  it.each([true, false])(
    'reports the cost and the cached and reasoning tokens if enabled, streamed: %s',
    async (stream) => {
      ;(await world.sandbox.control()).reportUsage({ cost: true, cached: 3, reasoning: 2 })
      await (
        await world.post({
          model,
          stream,
          messages: [{ role: 'user', content: 'Tell me about the river Po.' }],
        })
      ).text()
      const { usage, cost, costStated, listedCost } = await newest()
      expect(usage).toMatchObject({ cached: 3, reasoning: 2 })
      expect({ costStated, same: cost === listedCost }).toEqual({ costStated: true, same: true })
      expect(cost).toMatch(/^[1-9]\d*$/)
    },
  )

  it('reports none of them by default', async () => {
    ;(await world.sandbox.control()).reportUsage({})
    await (await world.post({ model, messages: [{ role: 'user', content: 'Hello' }] })).text()
    const receipt = await newest()
    expect(receipt.cost).toMatch(/^[1-9]\d*$/)
    expect(receipt).not.toHaveProperty('costStated', true)
    expect(receipt.usage).not.toHaveProperty('cached')
  })
})

describe('a cost in the trailers of a stream', () => {
  const scripted = scriptedWorld()
  const METRICS = 'x-tinfoil-usage-metrics'
  const events = (...last: string[]): Buffer =>
    Buffer.from(
      [
        'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Po"},"finish_reason":"stop"}]}',
        'data: {"id":"1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}',
        ...last,
        '',
      ].join('\n\n'),
    )
  const receiptOf = async (
    model: string,
    body: Buffer,
    headers: Record<string, string>,
    trailers?: Record<string, string>,
  ): Promise<Receipt> => {
    scripted.script = (_request, answer) => {
      answer.begin({ 'content-type': 'text/event-stream', ...headers })
      answer.end(body, trailers)
    }
    const response = await scripted.world.post({
      model,
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    })
    await response.text().catch(() => '')
    return (await scripted.world.call('receipts/get', {
      receiptId: response.headers.get('x-sotto-receipt'),
    })) as Receipt
  }
  const announced = { trailer: METRICS }

  it.each([OPEN, PRIVATE])('is the cost of %s', async (model) => {
    expect(
      await receiptOf(model, events('data: [DONE]'), announced, { [METRICS]: 'prompt=7,cost_usd=0.00002' }),
    ).toMatchObject({ outcome: 'complete', cost: '20000000', costStated: true })
    expect(
      await receiptOf(model, events('data: [DONE]'), announced, { [METRICS]: 'cost_usd=free' }),
    ).not.toHaveProperty('costStated', true)
    expect(await receiptOf(model, events('data: [DONE]'), {})).not.toHaveProperty('costStated', true)
  })
  it.each([OPEN, PRIVATE])('is ignored if the body has a cost: %s', async (model) => {
    const usage =
      'data: {"id":"1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"cost":0.00003}}'
    expect(
      await receiptOf(model, events(usage, 'data: [DONE]'), announced, { [METRICS]: 'cost_usd=0.00002' }),
    ).toMatchObject({ cost: '30000000', costStated: true })
  })
})

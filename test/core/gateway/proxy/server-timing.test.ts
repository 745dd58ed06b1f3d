import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function timing(response: Response): Record<string, number> {
  const header = response.headers.get('server-timing')
  expect(header).toMatch(/^\w+;dur=\d+\.\d\d(, \w+;dur=\d+\.\d\d)*$/)
  return Object.fromEntries(
    header!.split(', ').map((metric) => [metric.split(';')[0]!, Number(metric.split('=')[1])]),
  )
}
const messages = [{ role: 'user', content: 'hello' }]
const receipts = () =>
  world.call('receipts/list', {}) as Promise<
    { id: string; addedMs: number; durationMs: number; privacy: string }[]
  >

describe('Server-Timing', () => {
  it.each([
    [PRIVATE_MODEL, false],
    [PRIVATE_MODEL, true],
    [PLAINTEXT_MODEL, false],
    [PLAINTEXT_MODEL, true],
  ])('of %s (streamed: %s) matches the receipt', async (model, stream) => {
    const response = await world.post({ model, messages, stream })
    await response.text()
    const reported = timing(response)
    expect(Object.keys(reported)).toEqual(model === PRIVATE_MODEL ? ['sotto', 'proof', 'seal'] : ['sotto'])
    const receipt = (await receipts()).find(({ id }) => id === response.headers.get('x-sotto-receipt'))!
    expect(receipt.addedMs).toBeCloseTo(reported['sotto']!, 1)
    expect(receipt.addedMs).toBeLessThanOrEqual(receipt.durationMs)
    if (model === PRIVATE_MODEL) expect(reported['seal']).toBeLessThanOrEqual(reported['sotto']!)
  })

  it.each([
    ['a refusal before anything', {}, { authorization: '' }, 401],
    ['a model that is not listed', { model: 'nobody/none', messages }, {}, 404],
  ])('is also present on %s', async (_name, body, headers, status) => {
    const response = await world.post(body, headers)
    expect(response.status).toBe(status)
    expect(Object.keys(timing(response))).toEqual(['sotto'])
  })

  it('is present on responses that Sotto creates', async () => {
    timing(await fetch(`${world.baseUrl.replace('/v1', '')}/health`))
    expect(
      timing(await fetch(`${world.baseUrl}/models`, { headers: { authorization: `Bearer ${world.key}` } }))[
        'sotto'
      ],
    ).toBeGreaterThan(0)
  })

  it('is absent from responses that are forwarded from the service', async () => {
    const response = await fetch(`${world.baseUrl}/audio/voices`, {
      headers: { authorization: `Bearer ${world.key}` },
    })
    expect([response.status, response.headers.get('server-timing')]).toEqual([200, null])
  })
})

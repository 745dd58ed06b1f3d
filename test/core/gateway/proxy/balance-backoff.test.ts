import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf, failureOf, wordsOf } from '../../../../src/cli/client.ts'
import { toolTextOf } from '../../../../src/shared/tool-texts.ts'
import { PLAINTEXT_MODEL, startWorld, type World } from '../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  const control = await world.sandbox.control()
  for (const route of ['POST /v1/chat/completions', 'POST /credits/balance'])
    control.setRouteFault(route, { status: 429, retryAfter: 30, balanceBackoff: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const CODE = 'service/insufficient-balance'
const messages = [{ role: 'user', content: 'hello' }]
it.each([
  ['/v1/chat/completions', { messages }, CODE],
  ['/v1/responses', { input: 'hello' }, CODE],
  ['/v1/messages', { messages, max_tokens: 20 }, CODE],
  // Ollama's errors have no code.
  ['/api/chat', { messages }, toolTextOf(CODE).says],
])('429 balance_backoff at %s is an empty account with its wait', async (path, body, text) => {
  for (const stream of [false, true]) {
    const response = await world.post({ model: PLAINTEXT_MODEL, stream, ...body }, {}, path)
    expect([response.status, response.headers.get('retry-after')]).toEqual([402, '30'])
    expect(await response.text()).toContain(text)
  }
})

it('names the wait to a person too', async () => {
  const failure = failureOf(
    await clientOf(world.core)
      .accounts.balance()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
  )
  expect(failure).toMatchObject({ code: 'service/insufficient-balance', retryAfterSeconds: 30 })
  expect(failure && wordsOf(failure)).toMatch(/balance doesn’t cover .*You can try again in 30 seconds\.$/)
})

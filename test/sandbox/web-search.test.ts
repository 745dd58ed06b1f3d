import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, question, startService, type Service } from './service-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Completion {
  readonly choices: { readonly message: { readonly content: string } }[]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

async function complete(plugins?: unknown): Promise<{ status: number; links: string[]; body: Completion }> {
  const answer = await service.call('POST', '/v1/chat/completions', { body: { ...question, ...(plugins !== undefined && { plugins }) }, headers: bearer(service.account.apiKey) })
  const body = answer.body as unknown as Completion
  return { status: answer.status, links: answer.status === 200 ? [...body.choices[0]!.message.content.matchAll(/\]\((https:\/\/[a-z-]+\.example\/\w+)\)/g)].map(([, link = '']) => link) : [], body }
}
const pricePerToken = { input: 158_250n, output: 633_000n }

test('five results are put before the prompt, or as many as are asked for, and none without the plugin', async () => {
  expect((await complete()).links).toEqual([])
  expect((await complete([{ id: 'web' }])).links).toHaveLength(5)
  expect((await complete([{ id: 'web', max_results: 2 }])).links).toHaveLength(2)
  expect((await complete([])).links).toEqual([])
})

test('the results are read as tokens, the search itself is billed, and the record says that it was online', async () => {
  const { body: { usage: plain } } = await complete()
  expect(service.control.records().at(-1)?.online).toBe(false)
  const used = []
  for (const max_results of [1, 10]) {
    const { body: { usage } } = await complete([{ id: 'web', max_results }])
    used.push(usage.prompt_tokens)
    expect(service.control.records().at(-1)).toMatchObject({
      online: true, inputCount: usage.prompt_tokens,
      picoUsd: BigInt(max_results) * 4_000_000_000n + BigInt(usage.prompt_tokens) * pricePerToken.input + BigInt(usage.completion_tokens) * pricePerToken.output,
    })
  }
  expect(plain.prompt_tokens < used[0]! && used[0]! < used[1]!).toBe(true)
})

test('a streamed answer costs the same', async () => {
  await complete([{ id: 'web' }])
  const whole = service.control.records().at(-1)?.picoUsd
  const answer = await fetch(`${service.sandbox.baseUrl}/v1/chat/completions`, {
    method: 'POST', headers: { ...bearer(service.account.apiKey), 'content-type': 'application/json' }, body: JSON.stringify({ ...question, plugins: [{ id: 'web' }], stream: true }),
  })
  expect(await answer.text()).toContain('[DONE]')
  expect(service.control.records().at(-1)?.picoUsd).toBe(whole)
  expect(service.control.unbalanced()).toEqual([])
})

test.each([[[{ max_results: 5 }]], [[{ id: 'web', max_results: 0 }]], [[{ id: 'web', max_results: 2.5 }]], [[{ id: 'web', max_results: 51 }]], ['web']])('plugins %j: 400, and nothing is debited', async (plugins) => {
  const before = service.control.records().length
  expect((await complete(plugins)).status).toBe(400)
  expect(service.control.records()).toHaveLength(before)
})

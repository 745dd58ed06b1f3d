import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, question, startService, type Service } from './service-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Annotation {
  readonly type: string
  readonly url_citation: {
    readonly url: string
    readonly title: string
    readonly content: string
    readonly start_index: number
    readonly end_index: number
  }
}
interface Completion {
  readonly choices: {
    readonly message: { readonly content: string; readonly annotations?: readonly Annotation[] }
  }[]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

async function complete(plugins?: unknown): Promise<{ status: number; links: string[]; body: Completion }> {
  const answer = await service.call('POST', '/v1/chat/completions', {
    body: { ...question, ...(plugins !== undefined && { plugins }) },
    headers: bearer(service.account.apiKey),
  })
  const body = answer.body as unknown as Completion
  return {
    status: answer.status,
    links:
      answer.status === 200
        ? [...body.choices[0]!.message.content.matchAll(/\]\((https:\/\/[a-z-]+\.example\/\w+)\)/g)].map(
            ([, link = '']) => link,
          )
        : [],
    body,
  }
}
const pricePerToken = { input: 158_250n, output: 633_000n }

test('five results are added before the prompt, or as many as requested, and none without the plugin', async () => {
  expect((await complete()).links).toEqual([])
  expect((await complete([{ id: 'web' }])).links).toHaveLength(5)
  expect((await complete([{ id: 'web', max_results: 2 }])).links).toHaveLength(2)
  expect((await complete([])).links).toEqual([])
})

test('results are counted as tokens, the search is billed, and the record is marked as online', async () => {
  const {
    body: { usage: plain },
  } = await complete()
  expect(service.control.records().at(-1)?.online).toBe(false)
  const used = []
  for (const max_results of [1, 10]) {
    const {
      body: { usage },
    } = await complete([{ id: 'web', max_results }])
    used.push(usage.prompt_tokens)
    expect(service.control.records().at(-1)).toMatchObject({
      online: true,
      inputCount: usage.prompt_tokens,
      picoUsd:
        20_000_000_000n +
        BigInt(usage.prompt_tokens) * pricePerToken.input +
        BigInt(usage.completion_tokens) * pricePerToken.output,
    })
  }
  expect(plain.prompt_tokens < used[0]! && used[0]! < used[1]!).toBe(true)
})

test('each result is cited as a source, with its position in the text, and marked as invented', async () => {
  const {
    links,
    body: {
      choices: [choice],
    },
  } = await complete([{ id: 'web', max_results: 3 }])
  const { content, annotations = [] } = choice!.message
  expect(annotations.map(({ type, url_citation: { url } }) => [type, url])).toEqual(
    links.map((url) => ['url_citation', url]),
  )
  for (const {
    url_citation: { url, title, content: excerpt, start_index, end_index },
  } of annotations) {
    expect(content.slice(start_index, end_index)).toBe(`[${title}](${url})`)
    expect(excerpt).toContain('invented by the sandbox')
  }
  expect((await complete()).body.choices[0]!.message.annotations).toBeUndefined()
})

test('a streamed answer costs the same, and has its sources at the end', async () => {
  await complete([{ id: 'web' }])
  const whole = service.control.records().at(-1)?.picoUsd
  const answer = await fetch(`${service.sandbox.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(service.account.apiKey), 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, plugins: [{ id: 'web' }], stream: true }),
  })
  const stream = await answer.text()
  expect(stream).toContain('[DONE]')
  expect(stream.split('"annotations"')).toHaveLength(2)
  expect(stream).toContain('"start_index"')
  expect(service.control.records().at(-1)?.picoUsd).toBe(whole)
  expect(service.control.unbalanced()).toEqual([])
})

test.each([
  [[{ max_results: 5 }]],
  [[{ id: 'web', max_results: 0 }]],
  [[{ id: 'web', max_results: 2.5 }]],
  [[{ id: 'web', max_results: 51 }]],
  ['web'],
])('plugins %j: 400, without a debit', async (plugins) => {
  const before = service.control.records().length
  expect((await complete(plugins)).status).toBe(400)
  expect(service.control.records()).toHaveLength(before)
})

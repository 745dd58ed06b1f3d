import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bearer, creditId, question, startService, type Answered, type Service } from './service-client.ts'

let service: Service
let second: { _id: string; api_key: string }
const day = 86_400_000
const start = Date.UTC(2026, 10, 10, 12)

beforeEach(async () => {
  service = await startService()
  second = (
    await service.call('POST', '/keys', {
      headers: creditId(service.account.creditId),
      body: { name: 'second' },
    })
  ).body.data
})
afterEach(() => service[Symbol.asyncDispose]())

async function ask(apiKey: string, at: number, body: object = {}, headers: Record<string, string> = {}) {
  service.clock.now = at
  const answer = await service.call('POST', '/chat/completions', {
    headers: { ...bearer(apiKey), ...headers },
    body: { ...question, ...body },
  })
  expect(answer.status).toBe(200)
}

function history(query: string, headers: Record<string, string> = {}): Promise<Answered> {
  return service.call('GET', `/queries/history${query}`, { headers })
}

/** Three days with a question each by the first key, and one by the second. */
async function askFour() {
  await ask(service.account.apiKey, start)
  await ask(service.account.apiKey, start + day, { model: 'sandbox/andante-large', plugins: [{ id: 'web' }] })
  await ask(second.api_key, start + 2 * day, {}, { 'x-query-source': 'ui' })
  await ask(service.account.apiKey, start + 3 * day)
}

const of = (answer: Answered) =>
  answer.body.data.map(({ timestamp }) => (Date.parse(timestamp) - start) / day)

test('a record has the fields of the specification and the debited cost', async () => {
  await ask(service.account.apiKey, start, { plugins: [{ id: 'web', max_results: 2 }] })
  const { status, body } = await history('', bearer(service.account.apiKey))
  const [entry] = service.sandbox.ledger()
  const [key] = (await service.call('GET', '/keys', { headers: creditId(service.account.creditId) })).body
    .data
  expect([status, body]).toEqual([
    200,
    {
      status: 'success',
      data: [
        {
          timestamp: new Date(start).toISOString(),
          model: 'sandbox/allegro-mini',
          input_count: entry?.inputTokens,
          output_count: entry?.outputTokens,
          price_in_usd: Number(entry?.picoUsd) / 1e12,
          query_type: 'chat_completion',
          query_source: 'api',
          api_key_id: key?._id,
          isOnline: true,
          isFreeModel: false,
        },
      ],
      pagination: { page: 1, page_count: 20, total: 1, total_pages: 1 },
    },
  ])
})

describe('access to records', () => {
  beforeEach(askFour)

  test('a key sees its own queries, by either header, and the whole account on request', async () => {
    for (const headers of [bearer(second.api_key), { 'api-key': second.api_key }])
      expect(of(await history('', headers))).toEqual([2])
    expect(of(await history('', bearer(service.account.apiKey)))).toEqual([3, 1, 0])
    expect(of(await history('?all_keys=true', bearer(second.api_key)))).toEqual([3, 2, 1, 0])
  })

  test('the credit ID sees all queries, or those of one key by its value or its _id', async () => {
    const { creditId: id } = service.account
    expect(of(await history(`?credit_id=${id}`))).toEqual([3, 2, 1, 0])
    expect(of(await history(`?credit_id=${id}&api_key=${second.api_key}`))).toEqual([2])
    expect(of(await history(`?credit_id=${id}&api_key=${second._id}`))).toEqual([2])
  })

  test('each of the two filters is only for one kind of credential', async () => {
    const all = await history(`?credit_id=${service.account.creditId}&all_keys=true`)
    expect([all.status, all.body.field]).toEqual([400, 'all_keys'])
    const one = await history(`?api_key=${second.api_key}`, bearer(service.account.apiKey))
    expect([one.status, one.body.field]).toEqual([400, 'api_key'])
  })

  test('another account sees nothing', async () => {
    const other = service.control.createAccount(0n)
    expect(of(await history('?all_keys=true', bearer(other.apiKey)))).toEqual([])
    expect((await history(`?credit_id=${other.creditId}&api_key=${second.api_key}`)).status).toBe(404)
    for (const headers of [{}, bearer('sk-nobody'), creditId(service.account.creditId)])
      expect((await history('', headers)).status).toBe(401)
    expect((await history('?credit_id=00000000-0000-4000-8000-000000000000')).status).toBe(401)
  })
})

describe('filters', () => {
  beforeEach(askFour)
  const seen = async (query: string) =>
    of(await history(`?all_keys=true&${query}`, bearer(service.account.apiKey)))

  test('by date: on or after, on or before, the whole day', async () => {
    expect(await seen('start_date=2026-11-11')).toEqual([3, 2, 1])
    expect(await seen('end_date=2026-11-11')).toEqual([1, 0])
    expect(await seen('start_date=2026-11-11&end_date=2026-11-12')).toEqual([2, 1])
    expect(
      await seen(
        `start_date=${new Date(start + day).toISOString()}&end_date=${new Date(start + day).toISOString()}`,
      ),
    ).toEqual([1])
  })

  test('by model, source and type', async () => {
    expect(await seen('model=sandbox/andante-large')).toEqual([1])
    expect(await seen('query_source=ui')).toEqual([2])
    expect(await seen('query_type=chat_completion')).toEqual([3, 2, 1, 0])
    expect(await seen('query_type=embedding')).toEqual([])
    expect(await seen('model=sandbox/andante-large&query_source=ui')).toEqual([])
  })

  test('by page', async () => {
    expect(await seen('page_count=3')).toEqual([3, 2, 1])
    expect(await seen('page_count=3&page=2')).toEqual([0])
    expect(await seen('page_count=3&page=3')).toEqual([])
    expect(
      (await history('?all_keys=true&page_count=3&page=2', bearer(service.account.apiKey))).body.pagination,
    ).toEqual({ page: 2, page_count: 3, total: 4, total_pages: 2 })
  })

  test.each([
    'page=0',
    'page=x',
    'page_count=0',
    'page_count=101',
    'page_count=1.5',
    'start_date=yesterday',
    'end_date=2026-13-01',
    'all_keys=1',
    'model=',
    'page=1&page=2',
  ])('%s: 400', async (query) => {
    expect((await history(`?${query}`, bearer(service.account.apiKey))).status).toBe(400)
  })

  test('the largest page is accepted, and both path forms work', async () => {
    expect((await history('?page_count=100', bearer(service.account.apiKey))).status).toBe(200)
    expect(
      (await service.call('GET', '/v1/queries/history', { headers: bearer(second.api_key) })).body.data,
    ).toHaveLength(1)
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { paidRequest } from './paid-request.ts'
import { bearer, dollar, startService, type Service } from './service-client.ts'

interface Entry {
  readonly path: string
  readonly method: string
  readonly group: string
  readonly price: number
}

let services: Record<'A' | 'B', Service>
beforeAll(async () => {
  const [a, b] = await Promise.all([startService({ revision: 'A' }), startService()])
  services = { A: a, B: b }
})
beforeEach(() => {
  for (const { control, account } of Object.values(services))
    control.setBalance(account.creditId, 100n * dollar)
})
afterAll(async () => {
  for (const service of Object.values(services)) await service[Symbol.asyncDispose]()
})

const catalogue = async (revision: 'A' | 'B') =>
  (await services[revision].call('GET', '/v1/data/endpoints')).body.data as unknown as Entry[]
async function ask(
  method: string,
  path: string,
  parameters: Record<string, unknown>,
  revision: 'A' | 'B' = 'B',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const service = services[revision]
  const query =
    method === 'GET' ? `?${new URLSearchParams(parameters as Record<string, string>).toString()}` : ''
  const answer = await service.call(method, `${path}${query}`, {
    headers: bearer(service.account.apiKey),
    ...(method === 'POST' && { body: parameters }),
  })
  return { status: answer.status, body: answer.body as unknown as Record<string, unknown> }
}

describe('the list of data endpoints', () => {
  const path = resolve(import.meta.dirname, '../../../shared/spec/service.md')
  const written = existsSync(path) ? readFileSync(path, 'utf8') : ''

  test.skipIf(written === '')(
    'matches the table of the specification (skipped if ../shared is absent)',
    async () => {
      const table = [...written.matchAll(/^\| (\w+) \| (\/api\/\S+) \| (GET|POST) \|$/gm)].map(
        ([, group, below, method]) => `${method} /v1/data${below} ${group}`,
      )
      const microblog = [...written.matchAll(/`(\/x\/\w[\w/]*)`/g)].map(
        ([, below]) => `GET /v1/data${below} microblog`,
      )
      expect([table.length, microblog.length]).toEqual([27, 12])
      const listed = async (revision: 'A' | 'B') =>
        (await catalogue(revision)).map(({ path: at, method, group }) => `${method} ${at} ${group}`).sort()
      expect(await listed('B')).toEqual(table.sort())
      expect(await listed('A')).toEqual([...table, ...microblog].sort())
    },
  )

  test('has 39 endpoints in Revision A and 27 in Revision B, each with its price', async () => {
    expect([(await catalogue('A')).length, (await catalogue('B')).length]).toEqual([39, 27])
    for (const { price } of await catalogue('A')) expect(price).toBeGreaterThan(0)
  })
})

test('every endpoint responds, costs its listed price, and is recorded', async () => {
  for (const revision of ['A', 'B'] as const) {
    const { control } = services[revision]
    for (const { method, path, price } of await catalogue(revision)) {
      const { status, body } = await ask(
        method,
        path,
        method === 'GET' ? { placeId: 'sandbox-place', query: 'cellos' } : { query: 'cellos' },
        revision,
      )
      expect([path, status, Object.keys(body).length > 0]).toEqual([path, 200, true])
      expect(control.records().at(-1)).toMatchObject({
        type: 'data_enrichment',
        model: path.replace(/^\/v1\/data\/(?:api\/)?/, ''),
        picoUsd: BigInt(Math.round(price * 1e6)) * 1_000_000n,
      })
    }
    expect(control.unbalanced()).toEqual([])
  }
})

test('the microblog endpoints exist only in Revision A, and return JSON in a text', async () => {
  expect((await ask('GET', '/v1/data/x/tweets/search', { query: 'cellos' })).status).toBe(404)
  const { body } = await ask('GET', '/v1/data/x/tweets/search', { query: 'cellos', max_results: '3' }, 'A')
  const { data, meta } = JSON.parse(String(body['content'])) as {
    data: { text: string }[]
    meta: { next_token: string }
  }
  expect([data.length, data.every(({ text }) => text.includes('cellos')), typeof meta.next_token]).toEqual([
    3,
    true,
    'string',
  ])
})

test('people are searched by keywords, places and number', async () => {
  const search = { q_keywords: 'archivist', person_locations: ['Sandbox'], per_page: 7 }
  const first = await ask('POST', '/v1/data/api/people/people-search', search)
  expect(first.body['people'] as object[]).toHaveLength(7)
  expect((first.body['people'] as object[])[0]).toMatchObject({
    name: expect.any(String) as string,
    email: expect.stringMatching(/\.example$/) as string,
  })
  expect((await ask('POST', '/v1/data/api/people/people-search', search)).body).toEqual(first.body)
})

test.each([
  ['POST', '/v1/data/api/people/people-search', { q_keywords: 5 }, 'q_keywords'],
  ['POST', '/v1/data/api/people/people-search', { person_locations: 'Berlin' }, 'person_locations'],
  ['POST', '/v1/data/api/people/people-search', { per_page: 1.5 }, 'per_page'],
  ['POST', '/v1/data/api/people/people-search', { per_page: 101 }, 'per_page'],
  ['POST', '/v1/data/api/maps/text-search/full', { textQuery: ['x'] }, 'textQuery'],
  ['GET', '/v1/data/api/maps/place-details/full', {}, 'placeId'],
  ['POST', '/v1/data/api/websearch/search', { query: {} }, 'query'],
])(
  '%s %s with %j returns 400 and names %s, and nothing is charged',
  async (method, path, parameters, field) => {
    const before = services.B.control.records().length
    const { status, body } = await ask(method, path, parameters)
    expect([status, body['field'], services.B.control.records().length]).toEqual([400, field, before])
  },
)

test('without a key each endpoint can be bought, by GET and POST; with an empty account it can’t', async () => {
  const { sandbox, control, account } = services.B
  const post = await paidRequest(services.B, `${sandbox.baseUrl}/v1/data/api/websearch/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"cellos"}',
  })
  expect([
    post.answer.status,
    post.challenged.headers.get('www-authenticate')?.includes('description="Sandbox Data: Search the web"'),
  ]).toEqual([200, true])
  const get = await paidRequest(
    services.B,
    `${sandbox.baseUrl}/v1/data/api/maps/place-details/partial?placeId=x`,
    { method: 'GET' },
  )
  expect(get.answer.status).toBe(200)
  control.setBalance(account.creditId, 0n)
  const { status, body } = await ask('POST', '/v1/data/api/websearch/search', { query: 'x' })
  expect([status, body]).toEqual([
    402,
    {
      error: {
        message: 'Insufficient balance',
        reason: 'insufficient_balance',
        required: '0.0115',
        type: 'insufficient_balance',
      },
    },
  ])
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bearer, creditId, question, startService, type Service } from './service-client.ts'

let service: Service
let ownHeaders: Record<string, string>
beforeEach(async () => {
  service = await startService()
  ownHeaders = creditId(service.account.creditId)
})
afterEach(() => service[Symbol.asyncDispose]())

const iso = (at: number) => new Date(at).toISOString()
const day = 86_400_000

async function create(fields: object) {
  return service.call('POST', '/keys', { headers: ownHeaders, body: fields })
}

async function ask(apiKey: string) {
  return service.call('POST', '/v1/chat/completions', { headers: bearer(apiKey), body: question })
}

/** What the question costs, in USD. */
async function priceOfQuestion(): Promise<number> {
  await ask(service.account.apiKey)
  return Number(service.sandbox.ledger().at(-1)?.picoUsd) / 1e12
}

describe('creating', () => {
  test('returns the whole key with the fields of the specification', async () => {
    const { status, body } = await create({
      name: 'laptop',
      usage_limit_usd: 2.5,
      reset_period: 'weekly',
      expire_at: '2027-01-01T00:00:00Z',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      status: 'success',
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        name: 'laptop',
        api_key: expect.stringMatching(/^sk-[A-Za-z0-9]{22}$/) as string,
        usage_limit_usd: 2.5,
        reset_period: 'weekly',
        reset_at: '2026-11-23T00:00:00.000Z',
        expire_at: '2027-01-01T00:00:00.000Z',
        created_at: iso(service.clock.now),
      },
    })
    expect((await ask(body.data.api_key)).status).toBe(200)
  })

  test('an account begins with one key, named Default', async () => {
    const { body } = await service.call('GET', '/keys?show_key=true', { headers: ownHeaders })
    expect(body.data).toEqual([
      expect.objectContaining({
        name: 'Default',
        api_key: service.account.apiKey,
        usage_limit_usd: null,
        reset_period: null,
      }),
    ])
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(26) }],
    ['name', {}],
    ['name', { name: 7 }],
    ['usage_limit_usd', { name: 'a', usage_limit_usd: 0.009 }],
    ['usage_limit_usd', { name: 'a', usage_limit_usd: '3' }],
    ['reset_period', { name: 'a', usage_limit_usd: 1, reset_period: 'yearly' }],
    ['reset_period', { name: 'a', reset_period: 'daily' }],
    ['expire_at', { name: 'a', expire_at: '2026-11-18T12:00:00Z' }],
    ['expire_at', { name: 'a', expire_at: 'tomorrow' }],
    ['colour', { name: 'a', colour: 'red' }],
  ])('400 and the field %s for %j', async (field, body) => {
    const answer = await create(body)
    expect([answer.status, answer.body.field]).toEqual([400, field])
    expect((await service.call('GET', '/keys', { headers: ownHeaders })).body.data).toHaveLength(1)
  })

  test('1 and 25 characters, the lowest cap and no cap are accepted', async () => {
    for (const fields of [
      { name: 'x' },
      { name: 'x'.repeat(25), usage_limit_usd: 0.01 },
      { name: 'n', usage_limit_usd: null },
    ])
      expect((await create(fields)).status).toBe(201)
  })

  test('a name is unique within its account', async () => {
    expect((await create({ name: 'laptop' })).status).toBe(201)
    expect((await create({ name: 'laptop' })).status).toBe(409)
    const other = service.control.createAccount(0n)
    expect(
      (await service.call('POST', '/keys', { headers: creditId(other.creditId), body: { name: 'laptop' } }))
        .status,
    ).toBe(201)
  })
})

describe('listing', () => {
  test('returns all fields but the value, and the value on request', async () => {
    await create({ name: 'laptop', usage_limit_usd: 1 })
    const plain = await service.call('GET', '/keys', { headers: ownHeaders })
    expect(Object.keys(plain.body.data[1] ?? {}).sort()).toEqual([
      '_id',
      'created_at',
      'current_period_usage_usd',
      'deleted_at',
      'expire_at',
      'name',
      'reset_at',
      'reset_period',
      'total_usage_all_time_usd',
      'updated_at',
      'usage_limit_usd',
    ])
    const shown = await service.call('GET', '/keys?show_key=true', { headers: ownHeaders })
    expect(shown.body.data[1]?.api_key).toMatch(/^sk-/)
  })

  test('omits revoked keys unless they’re requested', async () => {
    const { data } = (await create({ name: 'old' })).body
    await service.call('DELETE', `/keys/${data._id}`, { headers: ownHeaders })
    const names = async (query: string) =>
      (await service.call('GET', `/keys${query}`, { headers: ownHeaders })).body.data.map(({ name }) => name)
    expect(await names('')).toEqual(['Default'])
    expect(await names('?include_disabled=true')).toEqual(['Default', 'old'])
    expect((await service.call('GET', '/keys?include_disabled=maybe', { headers: ownHeaders })).status).toBe(
      400,
    )
  })

  test('of one key returns a subset, and the value on request', async () => {
    const { data } = (await create({ name: 'laptop' })).body
    const one = await service.call('GET', `/keys/${data._id}`, { headers: ownHeaders })
    expect(one.body).toEqual({
      status: 'success',
      data: {
        _id: data._id,
        name: 'laptop',
        created_at: data.created_at,
        updated_at: data.created_at,
        deleted_at: null,
      },
    })
    expect(
      (await service.call('GET', `/keys/${data._id}?show_key=true`, { headers: ownHeaders })).body.data
        .api_key,
    ).toBe(data.api_key)
  })
})

describe('changing', () => {
  test('sets the given members, and null clears them', async () => {
    const { data } = (
      await create({
        name: 'laptop',
        usage_limit_usd: 1,
        reset_period: 'daily',
        expire_at: '2027-01-01T00:00:00Z',
      })
    ).body
    service.clock.now += 1000
    const named = await service.call('PATCH', `/keys/${data._id}`, {
      headers: ownHeaders,
      body: { name: 'desk' },
    })
    expect([named.status, named.body]).toEqual([
      200,
      {
        status: 'success',
        data: {
          _id: data._id,
          name: 'desk',
          usage_limit_usd: 1,
          current_period_usage_usd: 0,
          reset_period: 'daily',
          reset_at: '2026-11-19T00:00:00.000Z',
          expire_at: '2027-01-01T00:00:00.000Z',
          created_at: data.created_at,
          updated_at: iso(service.clock.now),
        },
      },
    ])
    const cleared = await service.call('PATCH', `/keys/${data._id}`, {
      headers: ownHeaders,
      body: { usage_limit_usd: null, reset_period: null, expire_at: null },
    })
    expect(cleared.body.data).toMatchObject({
      name: 'desk',
      usage_limit_usd: null,
      reset_period: null,
      reset_at: null,
      expire_at: null,
    })
  })

  test('another reset period sets only the usage of the period to 0', async () => {
    const { data } = (await create({ name: 'laptop', usage_limit_usd: 1, reset_period: 'daily' })).body
    await ask(data.api_key)
    const used = async () =>
      (await service.call('GET', '/keys', { headers: ownHeaders })).body.data.find(
        ({ name }) => name === 'laptop',
      )
    const before = await used()
    expect(before?.current_period_usage_usd).toBeGreaterThan(0)
    await service.call('PATCH', `/keys/${data._id}`, {
      headers: ownHeaders,
      body: { usage_limit_usd: 2, reset_period: 'daily' },
    })
    expect(await used()).toMatchObject({ current_period_usage_usd: before?.current_period_usage_usd })
    await service.call('PATCH', `/keys/${data._id}`, {
      headers: ownHeaders,
      body: { reset_period: 'monthly' },
    })
    expect(await used()).toMatchObject({
      current_period_usage_usd: 0,
      total_usage_all_time_usd: before?.total_usage_all_time_usd,
      reset_at: '2026-12-01T00:00:00.000Z',
    })
  })

  test.each([
    [400, undefined, {}],
    [400, 'name', { name: null }],
    [400, 'name', { name: 'x'.repeat(26) }],
    [400, 'usage_limit_usd', { usage_limit_usd: 0 }],
    [400, 'reset_period', { reset_period: 'daily' }],
    [400, 'expire_at', { expire_at: '2020-01-01T00:00:00Z' }],
    [400, '_id', { _id: 'x' }],
    [409, 'name', { name: 'Default' }],
  ])('%i and the field %s for %j', async (status, field, body) => {
    const { data } = (await create({ name: 'laptop' })).body
    const answer = await service.call('PATCH', `/keys/${data._id}`, { headers: ownHeaders, body })
    expect([answer.status, answer.body.field]).toEqual([status, field])
  })

  test('a cap can’t be removed while there is a reset period', async () => {
    const { data } = (await create({ name: 'laptop', usage_limit_usd: 1, reset_period: 'daily' })).body
    expect(
      (
        await service.call('PATCH', `/keys/${data._id}`, {
          headers: ownHeaders,
          body: { usage_limit_usd: null },
        })
      ).body.field,
    ).toBe('reset_period')
  })
})

describe('revoking', () => {
  test('stops the key at once, keeps its record, and can’t be undone', async () => {
    const { data } = (await create({ name: 'laptop' })).body
    expect((await ask(data.api_key)).status).toBe(200)
    const revoked = await service.call('DELETE', `/keys/${data._id}`, { headers: ownHeaders })
    expect([revoked.status, revoked.body]).toEqual([
      200,
      { status: 'success', message: 'API key revoked successfully' },
    ])
    const refused = await ask(data.api_key)
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: 'Invalid API key', message: 'API key not found or has been revoked' },
    ])
    expect(
      (await service.call('GET', `/keys/${data._id}`, { headers: ownHeaders })).body.data.deleted_at,
    ).toBe(iso(service.clock.now))
    expect((await service.call('DELETE', `/keys/${data._id}`, { headers: ownHeaders })).status).toBe(409)
    expect(
      (await service.call('PATCH', `/keys/${data._id}`, { headers: ownHeaders, body: { name: 'again' } }))
        .status,
    ).toBe(409)
  })
})

describe('the state of a key', () => {
  test('an expired key is refused from that moment on', async () => {
    const { data } = (await create({ name: 'short', expire_at: '2026-11-18T13:00:00Z' })).body
    service.clock.now = Date.UTC(2026, 10, 18, 13) - 1
    expect((await ask(data.api_key)).status).toBe(200)
    service.clock.now += 1
    expect((await ask(data.api_key)).status).toBe(401)
    await service.call('PATCH', `/keys/${data._id}`, { headers: ownHeaders, body: { expire_at: null } })
    expect((await ask(data.api_key)).status).toBe(200)
  })

  test('a cap is enforced, and a refused request costs nothing', async () => {
    const price = await priceOfQuestion()
    const { data } = (await create({ name: 'capped', usage_limit_usd: 0.01 })).body
    const wanted = Math.floor(0.01 / price)
    const before = service.sandbox.ledger().length
    const answers = await Promise.all(Array.from({ length: wanted + 5 }, () => ask(data.api_key)))
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBe(wanted)
    expect(answers.filter(({ status }) => status === 402).map(({ body }) => body)).toEqual(
      Array.from({ length: 5 }, () => ({
        error: 'Payment Required',
        message: 'API key usage limit exceeded',
      })),
    )
    expect(service.sandbox.ledger()).toHaveLength(before + served)
    expect((await ask(service.account.apiKey)).status).toBe(200)
  })

  test.each([
    ['daily', '2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
    ['weekly', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['monthly', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ])('%s: the usage resets at its time', async (reset_period, first, second) => {
    const price = await priceOfQuestion()
    const { data } = (
      await create({
        name: 'capped',
        usage_limit_usd: Math.max(0.01, Math.ceil(price * 100) / 100),
        reset_period,
      })
    ).body
    expect(data.reset_at).toBe(first)
    while ((await ask(data.api_key)).status === 200);
    service.clock.now = Date.parse(first) - 1
    expect((await ask(data.api_key)).status).toBe(402)
    service.clock.now += 1
    expect((await ask(data.api_key)).status).toBe(200)
    const [, key] = (await service.call('GET', '/keys', { headers: ownHeaders })).body.data
    expect(key?.reset_at).toBe(second)
    expect(key?.current_period_usage_usd).toBeCloseTo(price, 12)
    service.clock.now += 400 * day
    expect(
      (await service.call('GET', '/keys', { headers: ownHeaders })).body.data[1]?.current_period_usage_usd,
    ).toBe(0)
  })
})

describe('access to keys', () => {
  test('requires the credit ID: a key doesn’t manage keys', async () => {
    for (const headers of [
      {},
      bearer(service.account.apiKey),
      creditId('00000000-0000-4000-8000-000000000000'),
      creditId('x'),
    ]) {
      for (const [method, path] of [
        ['GET', '/keys'],
        ['POST', '/keys'],
        ['GET', '/keys/1'],
        ['PATCH', '/keys/1'],
        ['DELETE', '/keys/1'],
      ] as const) {
        const answer = await service.call(method, path, { headers })
        expect([answer.status, answer.body]).toEqual([
          401,
          { status: 'error', statusCode: 401, message: 'Unauthorized' },
        ])
      }
    }
  })

  test('another account’s key is not found', async () => {
    const { data } = (await create({ name: 'laptop' })).body
    const other = creditId(service.control.createAccount(0n).creditId)
    for (const method of ['GET', 'DELETE'])
      expect((await service.call(method, `/keys/${data._id}`, { headers: other })).status).toBe(404)
    expect(
      (await service.call('PATCH', `/keys/${data._id}`, { headers: other, body: { name: 'x' } })).status,
    ).toBe(404)
    expect((await ask(data.api_key)).status).toBe(200)
  })

  test('both path forms return the same keys', async () => {
    const { data } = (
      await service.call('POST', '/v1/keys', { headers: ownHeaders, body: { name: 'laptop' } })
    ).body
    expect((await service.call('GET', `/keys/${data._id}`, { headers: ownHeaders })).status).toBe(200)
    expect((await service.call('GET', '/v1/keys', { headers: ownHeaders })).body).toEqual(
      (await service.call('GET', '/keys', { headers: ownHeaders })).body,
    )
  })
})

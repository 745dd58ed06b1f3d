import { describe, expect, it } from 'vitest'
import { createAccount } from '../../../../src/core/gateway/service/account/create-account.ts'
import { createKey } from '../../../../src/core/gateway/service/account/keys.ts'
import { readAutomaticTopup } from '../../../../src/core/gateway/service/account/read/automatic-topup.ts'
import { readBalance } from '../../../../src/core/gateway/service/account/read/balance.ts'
import { listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../../../src/core/gateway/service/account/read/payment-methods.ts'
import { readTopupStatus } from '../../../../src/core/gateway/service/account/read/topup-status.ts'
import { perform } from '../../../../src/core/gateway/service/http/perform.ts'
import { audioModelsRequest } from '../../../../src/core/gateway/service/inference/audio-models.ts'
import { listDataEndpoints } from '../../../../src/core/gateway/service/inference/data.ts'
import { listDirectModels, listModels } from '../../../../src/core/gateway/service/inference/models.ts'
import { listVoices } from '../../../../src/core/gateway/service/inference/voices.ts'
import { account, API_KEY, BASE, codeOf, CREDIT_ID, scripted } from './scripted.ts'

const answered = (body: unknown): Parameters<typeof readBalance>[0] =>
  scripted([{ status: 200, body }]).service
const asText = (text: string): Parameters<typeof readBalance>[0] => scripted([{ status: 200, text }]).service

describe('a new account keeps its credentials', () => {
  const credentials = { creditId: CREDIT_ID, apiKey: API_KEY }
  const [credit_id, api_key] = [CREDIT_ID, API_KEY]
  it.each([
    { credit_id, api_key },
    { success: false, error: 'The welcome mail bounced', credit_id, api_key },
    { status: 'success', data: { credit_id, api_key } },
    { account: { credit_id, api_key, balance: 'none' } },
    { data: { account: { credit_id, api_key } } },
    { credit_id, data: { api_key } },
    { api_key, account: { credit_id, api_key: null } },
    { data: { credit_id: '', api_key: 7 }, credit_id, api_key },
    { creditId: credit_id, apiKey: api_key },
    { credit_id, api_key, balance: { garbled: [null] }, data: null, account: 'none' },
  ])('of %j', async (body) => expect(await createAccount(answered(body))).toEqual(credentials))
  it('of JSON that names another member twice', async () => {
    expect(
      await createAccount(
        asText(`{"balance":0,"balance":0,"credit_id":"${credit_id}","api_key":"${api_key}"}`),
      ),
    ).toEqual(credentials)
  })
  it.each([
    { credit_id },
    { credit_id, api_key: '' },
    { credit_id, api_key: 'a b c d e f' },
    { credit_id, api_key: `${api_key}\r\nx-other: 1` },
    { credit_id, api_key: 'x'.repeat(201) },
  ])('%j has only the credit ID', async (body) =>
    expect(await createAccount(answered(body))).toEqual({ creditId: CREDIT_ID }),
  )
  it.each([{ api_key }, { api_key, credit_id: '' }, { data: { api_key, credit_id: 7 } }])(
    '%j has only the API key',
    async (body) => expect(await createAccount(answered(body))).toEqual({ apiKey: API_KEY }),
  )
  it.each([
    {},
    null,
    [],
    { credit_id: '', api_key: '' },
    { user: { credit_id, api_key } },
    [{ credit_id, api_key }],
    { api_key: 'a b c d e f' },
  ])('%j has none', async (body) =>
    expect(await codeOf(createAccount(answered(body)))).toBe('service/response-invalid'),
  )
})

describe('money is in dollars', () => {
  it.each([
    { balance: 1.5 },
    { balance: '1.5' },
    { data: { balance: '15e-1' } },
    { status: 'success', data: { balance: 1.5, currency: 'usd' } },
    { balance_usd: 1.5 },
    { balance: null, balance_usd: '1.50' },
    { balance: 1.5, currency: null },
  ])('a balance of %j', async (body) => expect(await readBalance(answered(body))).toBe(1_500_000_000_000n))
  it.each([
    { balance: 1.5, currency: 'EUR' },
    { data: { balance: 1.5, currency: 'sats' } },
    { balance: 1.5, currency: 7 },
    { data: [1.5] },
    [1.5],
    1.5,
    { balance: '1,5' },
    { data: { data: { data: { balance: 1 } } } },
  ])('no balance of %j', async (body) =>
    expect(await codeOf(readBalance(answered(body)))).toBe('service/response-invalid'),
  )
  it('a price in another currency is unknown', async () => {
    const [audio] = (
      await perform(answered([{ id: 'a', api_price: 1, currency: 'EUR' }]), audioModelsRequest)
    ).entries
    const [data] = (
      await listDataEndpoints(answered([{ path: '/api/a/b', pricing: { price: 1, currency: 'eur' } }]))
    ).entries
    const [model] = (
      await listModels(answered([{ id: 'm', pricing: { currency: 7, input_per_1M_tokens: 1 } }]))
    ).entries
    expect([audio?.price, data?.price, model?.inputPerMillion]).toEqual([undefined, undefined, undefined])
  })
  it('a price in dollars is known in any case of letters', async () => {
    const [audio] = (
      await perform(answered([{ id: 'a', pricing: { api_price: '1', currency: 'usd' } }]), audioModelsRequest)
    ).entries
    const [data] = (await listDataEndpoints(answered([{ path: '/api/a/b', price: '1', currency: 'Usd' }])))
      .entries
    const [model] = (
      await listModels(answered([{ id: 'm', pricing: { currency: 'usd', input_per_1M_tokens: '1' } }]))
    ).entries
    expect([audio?.price, data?.price, model?.inputPerMillion]).toEqual([
      { amount: '1000000000000' },
      1_000_000_000_000n,
      '1000000000000',
    ])
  })
})

describe('models grouped by provider', () => {
  const models = [
    { id: 'a', name: 'a', private: false, provider: 'openai' },
    { id: 'private/b', name: 'b', private: true, provider: 'other' },
  ]
  it.each([
    { data: { openai: [{ id: 'a' }], other: [{ model_id: 'private/b', model_name: 'b' }] } },
    { openai: [{ id: 'a' }], other: [{ _id: 'private/b', name: 'b' }] },
    {
      object: 'list',
      models: {
        openai: [{ id: 'a', provider: null }],
        x: [{ id: 'private/b', name: 'b', provider: 'other' }],
      },
    },
  ])('%j', async (body) =>
    expect(await listModels(answered(body))).toEqual({ entries: models, unreadable: 0 }),
  )
  it('skipped members of lists are counted, also those within entries', async () => {
    const body = {
      data: {
        openai: [
          null,
          {
            id: 'a',
            architecture: { input_modalities: ['text', null, 7, 'image'] },
            supported_parameters: [null, 'tools'],
          },
        ],
        broken: null,
      },
    }
    expect(await listModels(answered(body))).toEqual({
      entries: [
        {
          id: 'a',
          name: 'a',
          private: false,
          provider: 'openai',
          inputModalities: ['text', '7', 'image'],
          supportedParameters: ['tools'],
        },
      ],
      unreadable: 4,
    })
  })
  it('of a provider that is reached directly', async () => {
    const service = {
      ...scripted([
        { status: 200, body: [{ id: 'a', type: 'embedding' }, { model_id: 'a', multimodal: 'true' }, null] },
      ]).service,
      access: () => ({ baseUrl: BASE, direct: true as const }),
    }
    expect(await listDirectModels(service)).toEqual({
      entries: [
        { id: 'private/a', name: 'a', private: true, type: 'chat', inputModalities: ['text', 'image'] },
      ],
      unreadable: 1,
    })
  })
})

describe('data endpoints grouped by provider', () => {
  it('take the names in their paths from the groups', async () => {
    const body = {
      data: {
        acme: [
          { path: '/search', price: '0.01' },
          { endpoint: 'acme/find', method: 'get' },
          { path: '/v1/data/api/acme/answer' },
          { path: '/../../keys' },
          null,
        ],
        x: [{ route: '/tweets/search', method: 'GET' }],
        '..': [{ path: '/keys' }],
        'a/b c': [{ path: '/keys' }],
      },
    }
    const { entries, unreadable } = await listDataEndpoints(answered(body))
    expect(entries.map(({ method, path, group, price }) => [method, path, group, price])).toEqual([
      ['POST', '/api/acme/search', 'acme', 10_000_000_000n],
      ['GET', '/api/acme/find', 'acme', undefined],
      ['POST', '/api/acme/answer', 'acme', undefined],
      ['GET', '/x/tweets/search', 'x', undefined],
    ])
    expect(unreadable).toBe(4)
  })
})

describe('IDs and lists', () => {
  it('an invoice by each name of its ID, itself or below data', async () => {
    for (const body of [
      { invoice_id: 'abc' },
      { id: 'abc' },
      { data: { _id: 'abc' } },
      { id: 'request-1', data: { invoice_id: 'abc' } },
    ]) {
      expect(
        await readTopupStatus(answered({ ...body, ...(!('data' in body) && { currency: 'sats' }) }), 'abc'),
      ).toMatchObject({ id: 'abc', ...(!('data' in body) && { currency: 'SATS' }) })
    }
  })
  it('a voice by its own ID, never by its model’s', async () => {
    expect(
      await listVoices(answered({ voices: [{ voice_id: 'v', model_id: 'm' }, { model_id: 'm' }] })),
    ).toEqual({ entries: [{ id: 'v', name: 'v', modelId: 'm' }], unreadable: 1 })
  })
  it('payment methods without what is null or garbled in them', async () => {
    const body = {
      data: [
        null,
        {
          id: 'btc',
          name: 'Bitcoin',
          currencies: ['usd', null, 'Sats'],
          limits: { usd: { min: '5', max: null }, SATS: null, btc: 'few' },
        },
      ],
    }
    expect(await readPaymentMethods(answered(body))).toEqual({
      entries: [
        { method: 'btc', displayName: 'Bitcoin', currencies: ['USD', 'SATS'], limits: { USD: { min: '5' } } },
      ],
      unreadable: 4,
    })
    expect(await readPaymentMethods(answered([]))).toEqual({ entries: [], unreadable: 0 })
  })
  it('a new key that is the answer itself: it is shown once', async () => {
    for (const body of [
      { id: 'k', name: 'n', api_key: API_KEY },
      { status: 'success', data: { _id: 'k', name: 'n', api_key: API_KEY } },
    ])
      expect(await createKey(answered(body), { name: 'n' })).toMatchObject({ id: 'k', apiKey: API_KEY })
  })
  it('a list of keys has the shape that the specification shows', async () => {
    expect(await codeOf(listKeys(answered([{ _id: 'k', name: 'n' }])))).toBe('service/response-invalid')
    expect(
      await listKeys(answered({ status: 'success', data: [null, { _id: 'k', name: 'n' }] })),
    ).toMatchObject({ unreadable: 1, keys: [{ id: 'k' }] })
  })
})

describe('automatic top-up', () => {
  const settings = { threshold_usd: '5', topup_amount_usd: 10 }
  it.each([
    settings,
    { data: settings },
    { status: 'success', data: { connected: 'true', ...settings } },
    { connected: true, data: settings },
    { nwc_url: 'hidden', ...settings },
  ])('is connected by %j', async (body) =>
    expect(await readAutomaticTopup(answered(body))).toEqual({
      connected: true,
      threshold: 5_000_000_000_000n,
      amount: 10_000_000_000_000n,
    }),
  )
  it.each([
    null,
    {},
    { data: null },
    { data: {} },
    { connected: false, data: settings },
    { data: { connected: '0', ...settings } },
    { nwc_url: null },
  ])('is not connected by %j', async (body) =>
    expect(await readAutomaticTopup(answered(body))).toEqual({ connected: false }),
  )
  it.each([[], 'none', 7])('refuses %j', async (body) =>
    expect(await codeOf(readAutomaticTopup(answered(body)))).toBe('service/response-invalid'),
  )
})

it('tolerance reveals no credential in an error', async () => {
  const failure: unknown = await createAccount(
    scripted(
      [{ status: 200, body: { credit_id: 'no id: 0d9f8a52\n', api_key: 'not a key: very-secret' } }],
      account,
    ).service,
  ).catch((thrown: unknown) => thrown)
  expect(failure).toMatchObject({ code: 'service/response-invalid' })
  expect(JSON.stringify([failure, String(failure)])).not.toMatch(/very-secret|0d9f8a52/)
})

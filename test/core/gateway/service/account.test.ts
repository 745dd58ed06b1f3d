import { describe, expect, it } from 'vitest'
import {
  connectAutomaticTopup,
  disconnectAutomaticTopup,
} from '../../../../src/core/gateway/service/account/automatic-topup.ts'
import { createAccount } from '../../../../src/core/gateway/service/account/create-account.ts'
import { createKey, revokeKey, updateKey } from '../../../../src/core/gateway/service/account/keys.ts'
import { readAutomaticTopup } from '../../../../src/core/gateway/service/account/read/automatic-topup.ts'
import { readBalance } from '../../../../src/core/gateway/service/account/read/balance.ts'
import { readHistory } from '../../../../src/core/gateway/service/account/read/history.ts'
import { getKey, listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../../../src/core/gateway/service/account/read/payment-methods.ts'
import { readTopupStatus } from '../../../../src/core/gateway/service/account/read/topup-status.ts'
import { createTopup } from '../../../../src/core/gateway/service/account/topup.ts'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import type { Service } from '../../../../src/core/gateway/service/http/perform.ts'
import { account, API_KEY, BASE, codeOf, CREDIT_ID, recorded, scripted } from './scripted.ts'

const answers = recorded('account')
const { apiKey: _, ...byCreditId } = account
const { creditId: __, ...byKey } = account
const { creditId: ___, apiKey: ____, ...nobody } = account

const KEY = { authorization: `Bearer ${API_KEY}` }
const CREDIT = { 'x-credit-id': CREDIT_ID }
const CONNECTION =
  'nostr+walletconnect://69effe7b49a6dd5cf525bd0905917a5005ffe480b58eeb8e861418cf3ae760d9?relay=wss%3A%2F%2Frelay.example&secret=71a8c14c1407c113601079c4302dab36460f0ccd0ad506f1f2dc73b5100e4f3c'
const LIGHTNING = 'lnbc1u1p5qqqqqpp5qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq'

interface Case {
  readonly name: string
  readonly call: (service: Service) => Promise<unknown>
  readonly answer: string
  readonly access?: ServiceAccess
  /** Method, address below the base, credentials, body. */
  readonly sends: readonly [method: string, path: string, credentials: Record<string, string>, body?: unknown]
  readonly gives: unknown
}

const cases: Case[] = [
  {
    name: 'an account is created',
    call: (service) => createAccount(service),
    answer: 'created',
    access: nobody,
    sends: ['POST', '/accounts/create', {}],
    gives: { creditId: CREDIT_ID, apiKey: API_KEY },
  },
  {
    name: 'a balance by the credit id',
    call: (service) => readBalance(service),
    answer: 'balance',
    sends: ['POST', '/credits/balance', {}, { credit_id: CREDIT_ID }],
    gives: 81_556_020_000n,
  },
  {
    name: 'a balance by the key',
    call: (service) => readBalance(service),
    answer: 'balanceAsText',
    access: byKey,
    sends: ['POST', '/credits/balance', KEY, {}],
    gives: 12_500_000_000_000n,
  },
  {
    name: 'a balance below nothing',
    call: (service) => readBalance(service),
    answer: 'balanceNegative',
    sends: ['POST', '/credits/balance', {}, { credit_id: CREDIT_ID }],
    gives: -123_000_000n,
  },
  {
    name: 'a balance with an exponent',
    call: (service) => readBalance(service),
    answer: 'balanceExponent',
    sends: ['POST', '/credits/balance', {}, { credit_id: CREDIT_ID }],
    gives: 100_000n,
  },
  {
    name: 'a balance of more digits than a double has',
    call: (service) => readBalance(service),
    answer: 'balanceBeyondDouble',
    sends: ['POST', '/credits/balance', {}, { credit_id: CREDIT_ID }],
    gives: 90_071_992_547_409_931_234_567n,
  },
  {
    name: 'keys',
    call: (service) => listKeys(service),
    answer: 'keys',
    sends: ['GET', '/keys', CREDIT],
    gives: {
      unreadable: 0,
      keys: [
        {
          id: '66f0c0ffee0000000000aaaa',
          name: 'Default',
          spendingCap: null,
          spentInPeriod: 0n,
          spentInAll: 1_250_000_000_000n,
          resetPeriod: null,
          resetsAt: null,
          expiresAt: null,
          createdAt: Date.UTC(2026, 8, 1, 10),
          updatedAt: Date.UTC(2026, 8, 1, 10),
          revokedAt: null,
        },
        {
          id: '66f0c0ffee0000000000bbbb',
          name: 'Editor',
          apiKey: 'sk-ZyXwVuTsRqPoNmLkJiHgFe',
          spendingCap: 10_500_000_000_000n,
          spentInPeriod: 100_000_000_000n,
          spentInAll: 3_000_000_000_000n,
          resetPeriod: 'weekly',
          resetsAt: Date.UTC(2026, 10, 23),
          expiresAt: Date.UTC(2026, 11, 31, 22),
          createdAt: Date.UTC(2026, 8, 2, 10),
          updatedAt: Date.UTC(2026, 8, 3, 10),
          revokedAt: Date.UTC(2026, 9, 1, 8, 30),
        },
      ],
    },
  },
  {
    name: 'keys with the revoked, shown',
    call: (service) => listKeys(service, { includeRevoked: true, showKey: true }),
    answer: 'keys',
    sends: ['GET', '/keys?include_disabled=true&show_key=true', CREDIT],
    gives: expect.objectContaining({ unreadable: 0 }),
  },
  {
    name: 'one key',
    call: (service) => getKey(service, '66f0c0ffee0000000000aaaa'),
    answer: 'key',
    sends: ['GET', '/keys/66f0c0ffee0000000000aaaa', CREDIT],
    gives: {
      id: '66f0c0ffee0000000000aaaa',
      name: 'Default',
      createdAt: Date.UTC(2026, 8, 1, 10),
      updatedAt: Date.UTC(2026, 8, 1, 10),
      revokedAt: null,
    },
  },
  {
    name: 'one key, shown',
    call: (service) => getKey(service, 'a-1', { showKey: true }),
    answer: 'key',
    sends: ['GET', '/keys/a-1?show_key=true', CREDIT],
    gives: expect.objectContaining({ name: 'Default' }),
  },
  {
    name: 'a key is created',
    call: (service) =>
      createKey(service, {
        name: 'Agent',
        spendingCap: 5,
        resetPeriod: 'daily',
        expiresAt: Date.UTC(2027, 0, 1),
      }),
    answer: 'keyCreated',
    sends: [
      'POST',
      '/keys',
      CREDIT,
      { name: 'Agent', usage_limit_usd: 5, reset_period: 'daily', expire_at: '2027-01-01T00:00:00.000Z' },
    ],
    gives: {
      id: '66f0c0ffee0000000000cccc',
      name: 'Agent',
      apiKey: 'sk-0123456789abcdefghijAB',
      spendingCap: 5_000_000_000_000n,
      resetPeriod: 'daily',
      resetsAt: Date.UTC(2026, 10, 22),
      expiresAt: null,
      createdAt: Date.UTC(2026, 10, 21, 10),
    },
  },
  {
    name: 'a key without a cap is created',
    call: (service) => createKey(service, { name: 'x', spendingCap: null }),
    answer: 'keyCreated',
    sends: ['POST', '/keys', CREDIT, { name: 'x' }],
    gives: expect.objectContaining({ name: 'Agent' }),
  },
  {
    name: 'a key is changed, and null clears',
    call: (service) =>
      updateKey(service, '66f0c0ffee0000000000aaaa', {
        name: 'Renamed',
        spendingCap: null,
        resetPeriod: null,
        expiresAt: null,
      }),
    answer: 'keyUpdated',
    sends: [
      'PATCH',
      '/keys/66f0c0ffee0000000000aaaa',
      CREDIT,
      { name: 'Renamed', usage_limit_usd: null, reset_period: null, expire_at: null },
    ],
    gives: expect.objectContaining({ name: 'Renamed', spendingCap: null, spentInPeriod: 0n }),
  },
  {
    name: 'only what changes is sent',
    call: (service) => updateKey(service, 'k', { spendingCap: 0.01 }),
    answer: 'keyUpdated',
    sends: ['PATCH', '/keys/k', CREDIT, { usage_limit_usd: 0.01 }],
    gives: expect.anything(),
  },
  {
    name: 'a key is revoked',
    call: (service) => revokeKey(service, 'k'),
    answer: 'keyRevoked',
    sends: ['DELETE', '/keys/k', CREDIT],
    gives: undefined,
  },
  {
    name: 'the history by the key',
    call: (service) => readHistory(service, { allKeys: true }),
    answer: 'history',
    sends: ['GET', '/queries/history?all_keys=true&page=1&page_count=20', KEY],
    gives: {
      records: [
        {
          at: Date.parse('2026-10-02T16:44:01.399Z'),
          model: 'large-model',
          inputTokens: 73,
          outputTokens: 12,
          cost: 18_150_000n,
          type: 'chat_completion',
          source: 'api',
          apiKeyId: '66f0c0ffee0000000000aaaa',
          online: false,
          freeModel: false,
        },
        {
          at: Date.parse('2026-10-02T16:40:00Z'),
          model: 'private/lento-1',
          inputTokens: 5,
          outputTokens: 0,
          cost: 0n,
          type: 'chat_completion',
          source: 'api',
          online: true,
          freeModel: false,
          errorCode: 'upstream_error',
        },
      ],
      unreadable: 1,
      page: 1,
      pageSize: 20,
      total: 3,
      pages: 1,
    },
  },
  {
    name: 'the history by the credit id, filtered',
    access: byCreditId,
    answer: 'history',
    gives: expect.objectContaining({ total: 3 }),
    call: (service) =>
      readHistory(service, {
        apiKey: API_KEY,
        from: '2026-10-01',
        until: '2026-10-31',
        model: 'private/lento-1',
        source: 'api',
        type: 'chat_completion',
        page: 2,
        pageSize: 100,
      }),
    sends: [
      'GET',
      `/queries/history?credit_id=${CREDIT_ID}&api_key=${API_KEY}&start_date=2026-10-01&end_date=2026-10-31&model=private%2Flento-1&query_source=api&query_type=chat_completion&page=2&page_count=100`,
      {},
    ],
  },
  {
    name: 'payment methods',
    call: (service) => readPaymentMethods(service),
    answer: 'paymentMethods',
    access: nobody,
    sends: ['GET', '/topup/payment-methods', {}],
    gives: {
      entries: [
        {
          method: 'btc-lightning',
          displayName: 'Bitcoin Lightning',
          currencies: ['USD', 'BTC', 'SATS'],
          limits: {
            SATS: { min: '100', max: '1000000' },
            USD: { min: '0.1', max: '1000' },
            BTC: { min: '0.000001', max: '0.01' },
          },
        },
        { method: 'xmr', displayName: 'xmr', currencies: ['USD'], limits: {} },
      ],
      unreadable: 1,
    },
  },
  {
    name: 'a Lightning topup, in numbers',
    call: (service) => createTopup(service, { method: 'btc-lightning', amount: 100, currency: 'SATS' }),
    answer: 'topupNumbers',
    sends: ['POST', '/topup/create/btc-lightning', KEY, { amount: 100, currency: 'SATS' }],
    gives: {
      id: '8vy58fo1Z8DYdFkUxp9yJd',
      amount: '100',
      currency: 'SATS',
      createdAt: 1_788_151_443_000,
      expiresAt: 1_788_152_343_000,
      lightningInvoice: LIGHTNING,
      checkoutUrl: 'https://pay.example/i/8vy58fo1Z8DYdFkUxp9yJd',
      cryptoAmountDue: '0.00001173',
    },
  },
  {
    name: 'a Lightning topup, in texts, with an address that nobody may open',
    call: (service) => createTopup(service, { method: 'btc-lightning', amount: 0.5, currency: 'USD' }),
    answer: 'topupTexts',
    sends: ['POST', '/topup/create/btc-lightning', KEY, { amount: 0.5, currency: 'USD' }],
    gives: {
      id: '8vy58fo1Z8DYdFkUxp9yJd',
      amount: '100',
      currency: 'SATS',
      createdAt: 1_788_151_443_000,
      expiresAt: 1_788_152_343_000,
      lightningInvoice: LIGHTNING,
      cryptoAmountDue: '0.00001173',
    },
  },
  {
    name: 'a topup on a chain',
    call: (service) => createTopup(service, { method: 'btc', amount: 20, currency: 'USD' }),
    answer: 'topupOnChain',
    sends: ['POST', '/topup/create/btc', KEY, { amount: 20, currency: 'USD' }],
    gives: expect.objectContaining({
      paymentAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      cryptoAmountDue: '0.00023',
    }),
  },
  {
    name: 'a topup that waits',
    call: (service) => readTopupStatus(service, '8vy58fo1Z8DYdFkUxp9yJd'),
    answer: 'topupNew',
    sends: ['GET', '/topup/status/8vy58fo1Z8DYdFkUxp9yJd', KEY],
    gives: expect.objectContaining({ state: 'new', amountPaid: '0', amountDue: '0.000001' }),
  },
  {
    name: 'a topup that is settled',
    call: (service) => readTopupStatus(service, '8vy58fo1Z8DYdFkUxp9yJd'),
    answer: 'topupSettled',
    sends: ['GET', '/topup/status/8vy58fo1Z8DYdFkUxp9yJd', KEY],
    gives: expect.objectContaining({ state: 'settled', amountPaid: '0.000001', amountDue: '0' }),
  },
  {
    name: 'a topup that is expired',
    call: (service) => readTopupStatus(service, '8vy58fo1Z8DYdFkUxp9yJd'),
    answer: 'topupExpired',
    sends: ['GET', '/topup/status/8vy58fo1Z8DYdFkUxp9yJd', KEY],
    gives: expect.objectContaining({ state: 'expired', amountPaid: '0', amountDue: '0.000001' }),
  },
  {
    name: 'a topup in a state of its own',
    call: (service) => readTopupStatus(service, '8vy58fo1Z8DYdFkUxp9yJd'),
    answer: 'topupOddState',
    sends: ['GET', '/topup/status/8vy58fo1Z8DYdFkUxp9yJd', KEY],
    gives: expect.objectContaining({ state: 'unknown' }),
  },
  {
    name: 'a wallet is connected',
    call: (service) => connectAutomaticTopup(service, { connection: CONNECTION, threshold: 5, amount: 10 }),
    answer: 'nwcPlain',
    sends: [
      'POST',
      '/nwc-auto-topup/connect',
      CREDIT,
      { nwc_url: CONNECTION, threshold_usd: 5, topup_amount_usd: 10 },
    ],
    gives: undefined,
  },
  {
    name: 'a wallet is connected by the defaults',
    call: (service) => connectAutomaticTopup(service, { connection: CONNECTION }),
    answer: 'nwcDone',
    sends: ['POST', '/nwc-auto-topup/connect', CREDIT, { nwc_url: CONNECTION }],
    gives: undefined,
  },
  {
    name: 'automatic topup, plain',
    call: (service) => readAutomaticTopup(service),
    answer: 'nwcPlain',
    sends: ['GET', '/nwc-auto-topup', CREDIT],
    gives: { connected: true, threshold: 10_000_000_000_000n, amount: 12_500_000_000_000n },
  },
  {
    name: 'automatic topup, below data',
    call: (service) => readAutomaticTopup(service),
    answer: 'nwcUnderData',
    sends: ['GET', '/nwc-auto-topup', CREDIT],
    gives: { connected: true, threshold: 5_000_000_000_000n, amount: 10_000_000_000_000n },
  },
  {
    name: 'automatic topup, none',
    call: (service) => readAutomaticTopup(service),
    answer: 'nwcNull',
    sends: ['GET', '/nwc-auto-topup', CREDIT],
    gives: { connected: false },
  },
  {
    name: 'automatic topup, said to be none',
    call: (service) => readAutomaticTopup(service),
    answer: 'nwcNotConnected',
    sends: ['GET', '/nwc-auto-topup', CREDIT],
    gives: { connected: false },
  },
  {
    name: 'automatic topup, not found',
    call: (service) => readAutomaticTopup(service),
    answer: 'topupUnknown',
    sends: ['GET', '/nwc-auto-topup', CREDIT],
    gives: { connected: false },
  },
  {
    name: 'a wallet is disconnected',
    call: (service) => disconnectAutomaticTopup(service),
    answer: 'nwcDone',
    sends: ['DELETE', '/nwc-auto-topup/connection', CREDIT],
    gives: undefined,
  },
]

describe.each(['A', 'B'] as const)('Revision %s', (revision) => {
  it.each(cases)(
    '$name',
    async ({ call, answer, access = account, sends: [method, path, credentials, body], gives }) => {
      const { service, sent } = scripted([answers[answer]!], { ...access, revision })
      const result = await call(service)
      expect(result).toEqual(gives)
      expect(sent).toHaveLength(1)
      const [
        {
          headers: { accept, 'accept-encoding': encoding, 'content-type': type, ...others },
          ...request
        },
      ] = sent as [(typeof sent)[number]]
      expect({
        ...request,
        body: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
      }).toEqual({ method, url: `${BASE}${path}`, body, redirect: 'manual' })
      expect([accept, encoding, type]).toEqual([
        'application/json',
        'identity',
        body === undefined ? undefined : 'application/json',
      ])
      expect(others).toEqual(credentials)
    },
  )
})

describe('is refused before anything is sent', () => {
  const refused: [string, (service: Service) => Promise<unknown>, string, string?][] = [
    [
      'a name of 26 characters',
      (service) => createKey(service, { name: 'x'.repeat(26) }),
      'request/invalid',
      'name',
    ],
    ['a name of none', (service) => createKey(service, { name: '' }), 'request/invalid', 'name'],
    [
      'a cap below a cent',
      (service) => createKey(service, { name: 'x', spendingCap: 0.001 }),
      'request/invalid',
      'spendingCap',
    ],
    [
      'a reset without a cap',
      (service) => createKey(service, { name: 'x', resetPeriod: 'daily' }),
      'request/invalid',
      'resetPeriod',
    ],
    [
      'a reset with the cap null',
      (service) => createKey(service, { name: 'x', resetPeriod: 'daily', spendingCap: null }),
      'request/invalid',
      'resetPeriod',
    ],
    ['no change', (service) => updateKey(service, 'k', {}), 'request/invalid'],
    ['a key id that climbs', (service) => revokeKey(service, '../accounts/create'), 'request/invalid'],
    ['a key id with a query', (service) => getKey(service, 'x?show_key=true'), 'request/invalid'],
    ['an invoice id that climbs', (service) => readTopupStatus(service, 'a/../../keys'), 'request/invalid'],
    [
      'a topup of nothing',
      (service) => createTopup(service, { method: 'btc', amount: 0, currency: 'USD' }),
      'request/invalid',
      'amount',
    ],
    [
      'a topup of no number',
      (service) => createTopup(service, { method: 'btc', amount: NaN, currency: 'USD' }),
      'request/invalid',
      'amount',
    ],
    [
      'a method with a path',
      (service) => createTopup(service, { method: '../keys' as 'btc', amount: 1, currency: 'USD' }),
      'request/invalid',
      'method',
    ],
    [
      'a threshold below 5',
      (service) => connectAutomaticTopup(service, { connection: CONNECTION, threshold: 4.99 }),
      'request/invalid',
      'threshold',
    ],
    [
      'what is no wallet connection',
      (service) => connectAutomaticTopup(service, { connection: 'https://wallet.example' }),
      'request/invalid',
      'connection',
    ],
    ['a page of 101', (service) => readHistory(service, { pageSize: 101 }), 'request/invalid', 'pageSize'],
    ['a page 0', (service) => readHistory(service, { page: 0 }), 'request/invalid', 'page'],
    [
      'a date that is none',
      (service) => readHistory(service, { from: '2026-13-01' }),
      'request/invalid',
      'from',
    ],
  ]
  it.each(refused)('%s', async (_name, call, code, param) => {
    const { service, sent } = scripted([])
    // The failure must be a rejection, because a caller that only catches rejections would miss a synchronous
    // throw.
    await expect(call(service)).rejects.toMatchObject({ code, details: param === undefined ? {} : { param } })
    expect(sent).toEqual([])
  })

  it.each([
    ['keys without an account', (service: Service) => listKeys(service), nobody, 'service/no-account'],
    ['keys by a key alone', (service: Service) => listKeys(service), byKey, 'service/no-credit-id'],
    [
      'a topup by a credit id alone',
      (service: Service) => createTopup(service, { method: 'btc', amount: 1, currency: 'USD' }),
      byCreditId,
      'service/no-api-key',
    ],
    ['a balance of nobody', (service: Service) => readBalance(service), nobody, 'service/no-account'],
    [
      'a filter by key without the credit id',
      (service: Service) => readHistory(service, { apiKey: API_KEY }),
      byKey,
      'service/no-credit-id',
    ],
  ] as const)('%s', async (_name, call, access, code) => {
    const { service, sent } = scripted([], access)
    expect(await codeOf(call(service))).toBe(code)
    expect(sent).toEqual([])
  })
})

describe('an answer of another form is refused', () => {
  const wrong: unknown[] = [
    null,
    [],
    'text',
    7,
    {},
    { data: 'x' },
    { status: 'success' },
    { balance: 'much' },
    { balance: null },
    { balance: [1] },
    { credit_id: 'x', api_key: 'y' },
    { data: { name: 'no id' } },
    { data: { _id: '../x', name: 'n' } },
    { status: 'error' },
    { invoice_id: 'a b' },
  ]
  const calls: [string, (service: Service) => Promise<unknown>][] = [
    ['createAccount', (service) => createAccount(service)],
    ['readBalance', (service) => readBalance(service)],
    ['listKeys', (service) => listKeys(service)],
    ['getKey', (service) => getKey(service, 'k')],
    ['createKey', (service) => createKey(service, { name: 'x' })],
    ['revokeKey', (service) => revokeKey(service, 'k')],
    ['readHistory', (service) => readHistory(service)],
    ['readPaymentMethods', (service) => readPaymentMethods(service)],
    ['createTopup', (service) => createTopup(service, { method: 'btc', amount: 1, currency: 'USD' })],
    ['readTopupStatus', (service) => readTopupStatus(service, 'i')],
  ]
  it.each(calls)('%s', async (name, call) => {
    for (const body of wrong) {
      // The list of methods may be the answer itself.
      if (name === 'readPaymentMethods' && Array.isArray(body)) continue
      if (name === 'revokeKey' && JSON.stringify(body) === '{"status":"success"}') continue
      expect([body, await codeOf(call(scripted([{ status: 200, body }]).service))]).toEqual([
        body,
        'service/response-invalid',
      ])
    }
    for (const text of ['', '{', '{"balance":1,"balance":2}', '<html>', '\xff\xfe']) {
      expect([text, await codeOf(call(scripted([{ status: 200, text }]).service))]).toEqual([
        text,
        'service/response-invalid',
      ])
    }
  })

  it.each([
    ['only the credit id', { data: { credit_id: CREDIT_ID } }, { creditId: CREDIT_ID }],
    ['only the API key', { api_key: API_KEY, credit_id: null }, { apiKey: API_KEY }],
    [
      'a credit id beside a key that fits in no header',
      { credit_id: CREDIT_ID, api_key: 'sk-a\r\nb' },
      { creditId: CREDIT_ID },
    ],
  ])('a new account is read from %s', async (_what, body, credentials) => {
    expect(await createAccount(scripted([{ status: 201, body }], nobody).service)).toEqual(credentials)
  })

  it('a new key that is not shown is no new key', async () => {
    expect(await codeOf(createKey(scripted([answers['key']!]).service, { name: 'x' }))).toBe(
      'service/response-invalid',
    )
  })
  it('and its text stays out of the message', async () => {
    const { service } = scripted([
      { status: 200, body: { data: { _id: 'k', api_key: 'sk-very-secret-indeed' } } },
    ])
    const failure = await getKey(service, 'k').catch((thrown: unknown) => thrown)
    expect(JSON.stringify([failure, String(failure)])).not.toContain('secret')
  })
})

describe('secrets', () => {
  it('a wallet connection that the service repeats in an error stays out of the message', async () => {
    const { service } = scripted([
      {
        status: 400,
        body: { error: `Cannot reach ${CONNECTION}`, message: `bad ${CONNECTION} for ${API_KEY}` },
      },
    ])
    const failure = await connectAutomaticTopup(service, { connection: CONNECTION }).catch(
      (thrown: unknown) => thrown,
    )
    expect(failure).toMatchObject({ code: 'service/rejected' })
    expect(JSON.stringify([failure, String(failure)])).not.toMatch(/71a8c14c|AbCdEf|69effe7b/)
  })
  it('settings never carry the connection', async () => {
    expect(
      JSON.stringify(
        await readAutomaticTopup(scripted([answers['nwcPlain']!]).service),
        (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      ),
    ).not.toContain('secret')
  })
})

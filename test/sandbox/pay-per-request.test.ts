import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readInvoice } from './invoices.ts'
import { startPayableService, type PayableService } from './payable-service.ts'
import { bearer, request, type Answered } from './service-client.ts'

let service: PayableService
beforeEach(async () => {
  service = await startPayableService()
})
afterEach(() => service[Symbol.asyncDispose]())

interface Challenge {
  readonly id: string
  readonly invoice: string
  readonly parameters: Record<string, string>
}

const path = '/v1/data/api/websearch/search'
const ask = (
  headers: Record<string, string> = {},
  { to = path, body = { q: 'cellos' } }: { to?: string; body?: unknown } = {},
) => request(service.baseUrl + to, 'POST', body, headers)
const l402 = (token: string, preimage: string) => ({ authorization: `L402 ${token}:${preimage}` })
const payment = (challenge: object, preimage: string) => ({
  authorization: `Payment ${Buffer.from(JSON.stringify({ challenge, payload: { preimage } })).toString('base64url')}`,
})
const problem = (answer: Answered) => [
  answer.status,
  answer.body.type.replace('https://paymentauth.org/problems/', ''),
]

function challengeIn(answer: Answered): Challenge {
  const header = answer.headers.get('www-authenticate') ?? ''
  expect(header).toMatch(/^Payment id="/)
  const parameters = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const charge = JSON.parse(Buffer.from(parameters['request'] ?? '', 'base64url').toString()) as {
    methodDetails: { invoice: string }
  }
  return { id: parameters['id'] ?? '', invoice: charge.methodDetails.invoice, parameters }
}

async function challenged(): Promise<Challenge> {
  const answer = await ask()
  expect(problem(answer)).toEqual([402, 'payment-required'])
  return challengeIn(answer)
}

async function paid({ invoice }: Challenge): Promise<string> {
  const result = await service.control.pay(invoice)
  if (!('preimage' in result)) throw new Error(result.failed)
  return result.preimage
}

describe('a request without a key', () => {
  test('gets a challenge in the observed form, with a real invoice for the price', async () => {
    const answer = await ask()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      402,
      'application/problem+json; charset=utf-8',
      'no-store',
    ])
    const { id, invoice, parameters } = challengeIn(answer)
    expect(answer.body).toEqual({
      type: 'https://paymentauth.org/problems/payment-required',
      title: 'Payment Required',
      status: 402,
      detail: 'Payment is required (Sandbox Data: search).',
      challengeId: id,
    })
    expect(parameters).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      realm: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      method: 'lightning',
      intent: 'charge',
      request: expect.any(String) as string,
      description: 'Sandbox Data: search',
      expires: new Date(service.clock.now + 300_000).toISOString(),
    })
    // 0.0115 USD at 0.0008 a satoshi is 14.375: the service rounds up.
    const read = readInvoice(invoice)
    expect(read).toMatchObject({
      network: 'bcrt',
      msat: 15_000n,
      expiry: 300,
      description: 'Sandbox Data: search',
    })
    expect(JSON.parse(Buffer.from(parameters['request'] ?? '', 'base64url').toString())).toEqual({
      amount: '15',
      currency: 'sat',
      methodDetails: { invoice, network: 'regtest', paymentHash: read.paymentHash },
    })
  })

  test('is refused before the payment if it can’t be answered', async () => {
    expect((await ask({}, { body: { q: '' } })).status).toBe(400)
    expect((await ask({}, { to: '/v1/data/api/nothing/search' })).status).toBe(404)
    expect((await ask({}, { body: '{' })).status).toBe(400)
  })
})

test('a request with a key never gets a challenge, whatever is wrong with the key', async () => {
  const poor = service.control.createAccount(11_499_999_999n)
  const short = await ask(bearer(poor.apiKey))
  expect([short.status, short.body, short.headers.get('www-authenticate')]).toEqual([
    402,
    {
      error: {
        message: 'Insufficient balance',
        reason: 'insufficient_balance',
        required: '0.0115',
        type: 'insufficient_balance',
      },
    },
    null,
  ])
  for (const headers of [
    bearer('sk-nobody'),
    { 'api-key': poor.apiKey },
    { 'x-api-key': poor.apiKey },
    { authorization: 'Basic eDp5' },
  ]) {
    const refused = await ask(headers)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, null])
  }
  service.control.setBalance(poor.creditId, 11_500_000_000n)
  expect((await ask(bearer(poor.apiKey))).status).toBe(200)
  expect(service.control.records()).toHaveLength(1)
})

describe('the credential', () => {
  test.each([
    ['L402 token:preimage', (challenge: Challenge, preimage: string) => l402(challenge.id, preimage)],
    [
      'LSAT, as older clients call it',
      (challenge: Challenge, preimage: string) => ({
        authorization: `LSAT ${challenge.id}:${preimage.toUpperCase()}`,
      }),
    ],
    [
      'Payment with the challenge echoed',
      (challenge: Challenge, preimage: string) => payment(challenge.parameters, preimage),
    ],
    [
      'Payment with what binds it',
      ({ parameters: { id, realm, method, intent, request } }: Challenge, preimage: string) =>
        payment({ id, realm, method, intent, request }, preimage),
    ],
  ])('%s is accepted once, with a receipt', async (_, credential) => {
    const challenge = await challenged()
    const preimage = await paid(challenge)
    const answer = await ask(credential(challenge, preimage))
    expect([answer.status, answer.body]).toEqual([200, { found: 'cellos' }])
    const { paymentHash } = readInvoice(challenge.invoice)
    expect(
      JSON.parse(Buffer.from(answer.headers.get('payment-receipt') ?? '', 'base64url').toString()),
    ).toEqual({
      status: 'success',
      method: 'lightning',
      timestamp: new Date(service.clock.now).toISOString(),
      reference: paymentHash,
      challengeId: challenge.id,
    })
    expect(service.control.records()).toMatchObject([
      { creditId: null, paymentHash, picoUsd: 11_500_000_000n },
    ])
    expect(problem(await ask(credential(challenge, preimage)))).toEqual([402, 'lightning/unknown-challenge'])
    expect(service.control.records()).toHaveLength(1)
  })

  test('is accepted once in parallel requests', async () => {
    const challenge = await challenged()
    const preimage = await paid(challenge)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(l402(challenge.id, preimage))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 402)])
  })

  test('is valid only for the identical request: method, path, query and body', async () => {
    const challenge = await challenged()
    const preimage = await paid(challenge)
    for (const other of [
      { to: '/v1/data/api/other/search' },
      { to: `${path}?x=1` },
      { body: { q: 'violas' } },
      { body: '{ "q": "cellos" }' },
    ]) {
      expect(problem(await ask(l402(challenge.id, preimage), other))).toEqual([402, 'verification-failed'])
    }
    expect((await ask(l402(challenge.id, preimage))).status).toBe(200)
  })

  test('is checked before it’s spent: a refused one stays valid, and each refusal has a new challenge', async () => {
    const challenge = await challenged()
    const preimage = await paid(challenge)
    const wrong = '00'.repeat(32)
    const refusals: [Record<string, string>, string][] = [
      [l402(challenge.id, wrong), 'lightning/invalid-preimage'],
      [l402('unknown', preimage), 'lightning/unknown-challenge'],
      [{ authorization: `L402 ${challenge.id}` }, 'malformed-credential'],
      [{ authorization: 'Payment !!!' }, 'malformed-credential'],
      [payment({ ...challenge.parameters, realm: 'elsewhere' }, preimage), 'invalid-challenge'],
      [payment({ ...challenge.parameters, description: 'cheaper' }, preimage), 'invalid-challenge'],
      [payment({ id: challenge.id }, preimage), 'invalid-challenge'],
      [payment(challenge.parameters, preimage.toUpperCase()), 'lightning/invalid-preimage'],
    ]
    for (const [headers, type] of refusals) {
      const answer = await ask(headers)
      expect(problem(answer)).toEqual([402, type])
      expect(challengeIn(answer).id).not.toBe(challenge.id)
    }
    expect((await ask(l402(challenge.id, preimage))).status).toBe(200)
  })

  test('an invoice can be paid until it expires, and a credential that was paid in time stays valid', async () => {
    const [early, late] = [await challenged(), await challenged()]
    const preimage = await paid(early)
    service.clock.now += 300_000
    expect(await service.control.pay(late.invoice)).toEqual({ failed: 'expired' })
    expect(await service.control.pay(early.invoice)).toEqual({ failed: 'paid' })
    expect(await service.control.pay('lnbcrt1nothing')).toEqual({ failed: 'unknown' })
    expect((await ask(l402(early.id, preimage))).status).toBe(200)
  })
})

describe('faults of the route', () => {
  const name = 'POST /v1/data/api/{group}/search'

  test('a refusal debits nothing, and a reply that is cut off is charged', async () => {
    const account = service.control.createAccount(1_000_000_000_000n)
    service.control.setRouteFault(name, { status: 503 })
    expect((await ask(bearer(account.apiKey))).status).toBe(503)
    expect(service.control.records()).toEqual([])
    service.control.setRouteFault(name, { cut: true })
    await expect(ask(bearer(account.apiKey))).rejects.toThrow()
    expect(service.control.records()).toHaveLength(1)
    service.control.setRouteFault(name, null)
    expect((await ask(bearer(account.apiKey))).status).toBe(200)
  })

  test('a stalled reply is charged, begins, and stays open until its caller aborts', async () => {
    const account = service.control.createAccount(1_000_000_000_000n)
    service.control.setRouteFault(name, { stalled: true })
    const caller = new AbortController()
    const answer = await fetch(service.baseUrl + path, {
      method: 'POST',
      headers: { ...bearer(account.apiKey), 'content-type': 'application/json' },
      body: '{"q":"cellos"}',
      signal: caller.signal,
    })
    const reader = answer.body!.getReader()
    const first = await reader.read()
    expect([answer.status, Buffer.from(first.value ?? []).toString()]).toEqual([200, '{"found":'])
    const rest = reader.read()
    // While the first answer is stalled, other requests are served.
    service.control.setRouteFault(name, null)
    expect((await ask(bearer(account.apiKey))).status).toBe(200)
    caller.abort()
    await expect(rest).rejects.toThrow()
    expect(service.control.records()).toHaveLength(2)
  })

  test('latency precedes everything, and ends when the caller aborts', async () => {
    const account = service.control.createAccount(1_000_000_000_000n)
    service.control.setRouteFault(name, { latencyMs: 3_600_000 })
    const caller = new AbortController()
    const waiting = fetch(service.baseUrl + path, {
      method: 'POST',
      headers: { ...bearer(account.apiKey), 'content-type': 'application/json' },
      body: '{"q":"x"}',
      signal: caller.signal,
    })
    await expect.poll(() => service.received.list().length).toBe(1)
    service.control.setRouteFault(name, null)
    // A later request is answered while the first one is still delayed.
    expect((await ask()).status).toBe(402)
    caller.abort()
    await expect(waiting).rejects.toThrow()
    expect(service.control.records()).toEqual([])
  })

  test('an unknown route is an error', () => {
    expect(() => service.control.setRouteFault('GET /nowhere', null)).toThrow(RangeError)
  })
})

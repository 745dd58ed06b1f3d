import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bearer, question, startService, type Service } from './service-client.ts'

const token = 'the-token-of-this-test'
let service: Service
beforeEach(async () => {
  service = await startService({ controlToken: token })
})
afterEach(() => service[Symbol.asyncDispose]())

const order = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/_sandbox/control', { headers: { 'x-sandbox-control': token, ...headers }, body })
const chat = (apiKey = service.account.apiKey) =>
  service.call('POST', '/v1/chat/completions', { headers: bearer(apiKey), body: question })

describe('the control interface of a separate sandbox process', () => {
  test('requires the token, and refuses a page', async () => {
    const refused = [
      order({ do: 'status' }, { 'x-sandbox-control': 'guess' }),
      order({ do: 'status' }, { origin: service.sandbox.baseUrl }),
      service.call('POST', '/_sandbox/control', { body: { do: 'status' } }),
    ]
    for (const answer of await Promise.all(refused))
      expect([answer.status, answer.body]).toEqual([
        403,
        { status: 'error', statusCode: 403, message: 'Forbidden' },
      ])
    await using without = await startService()
    expect(
      (
        await without.call('POST', '/_sandbox/control', {
          headers: { 'x-sandbox-control': '' },
          body: { do: 'status' },
        })
      ).status,
    ).toBe(404)
  })

  test('creates accounts and sets balances', async () => {
    const created = await order({ do: 'create-account', usd: 1 })
    expect((await chat(created.body.api_key)).status).toBe(200)
    expect((await order({ do: 'set-balance', credit_id: created.body.credit_id, usd: 0 })).status).toBe(200)
    expect((await chat(created.body.api_key)).status).toBe(402)
    expect((await order({ do: 'set-balance', credit_id: 'nobody', usd: 0 })).status).toBe(404)
    expect((await order({ do: 'set-balance', credit_id: created.body.credit_id, usd: -0.5 })).status).toBe(
      200,
    )
    expect(
      (await service.call('POST', '/credits/balance', { body: { credit_id: created.body.credit_id } })).body
        .balance,
    ).toBe(-0.5)
  })

  test('pays, settles and expires top-ups', async () => {
    const create = () =>
      service.call('POST', '/topup/create/btc-lightning', {
        headers: bearer(service.account.apiKey),
        body: { amount: 1, currency: 'USD' },
      })
    const status = async (id: string) =>
      (await service.call('GET', `/topup/status/${id}`, { headers: bearer(service.account.apiKey) })).body
        .status
    const [paid, settled, expired] = [(await create()).body, (await create()).body, (await create()).body]
    expect((await order({ do: 'pay', invoice: paid.lightning_invoice })).body).toEqual({
      preimage: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    expect((await order({ do: 'pay', invoice: 'lnbcrt1' })).body).toEqual({ failed: 'unknown' })
    expect((await order({ do: 'settle-topup', invoice_id: settled.invoice_id })).body.status).toBe('settled')
    await order({ do: 'expire-topup', invoice_id: expired.invoice_id })
    expect(await Promise.all([paid, settled, expired].map(({ invoice_id }) => status(invoice_id)))).toEqual([
      'Settled',
      'Settled',
      'Expired',
    ])
    const part = (await create()).body
    expect((await order({ do: 'receive-topup', invoice_id: part.invoice_id, units: 250 })).body).toEqual({
      status: 'New',
    })
    expect((await order({ do: 'receive-topup', invoice_id: part.invoice_id, units: 1000 })).body).toEqual({
      status: 'Settled',
    })
  })

  test('makes an empty account wait, with the wait in the body', async () => {
    await order({
      do: 'route-fault',
      route: 'POST /v1/chat/completions',
      fault: { status: 429, retry_after: 30, balance_backoff: true },
    })
    const answer = await service.call('POST', '/v1/chat/completions', {
      headers: bearer(service.account.apiKey),
      body: question,
    })
    expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
      429,
      null,
      {
        error: { message: 'Insufficient balance', type: 'balance_backoff', code: 'balance_backoff' },
        retry_after_seconds: 30,
      },
    ])
  })

  test('enforces the context length of a model in plaintext requests, streamed or not', async () => {
    const ask = (over: object) =>
      service.call('POST', '/v1/chat/completions', {
        headers: bearer(service.account.apiKey),
        body: { ...question, ...over },
      })
    const beyond = { max_tokens: 10_000_000 }
    expect((await ask(beyond)).status).toBe(200)
    await order({ do: 'enforce-context-length', on: true })
    for (const stream of [false, true]) {
      const refused = await ask({ ...beyond, stream })
      expect([refused.status, (refused.body as unknown as { error: object }).error]).toEqual([
        400,
        {
          message: expect.stringContaining('maximum context length') as string,
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      ])
    }
    expect((await ask({ max_tokens: 5 })).status).toBe(200)
    await order({ do: 'enforce-context-length', on: false })
    expect((await ask(beyond)).status).toBe(200)
  })

  test.each([
    [{ status: 429, retry_after: 3 }, 429, '3'],
    [{ status: 401 }, 401, null],
    [{ status: 402 }, 402, null],
    [{ status: 500 }, 500, null],
    [{ status: 503, retry_after: 1 }, 503, '1'],
    [{ status: 404 }, 404, null],
  ])('makes one route return %j, without a debit', async (fault, status, retryAfter) => {
    await order({ do: 'route-fault', route: 'POST /v1/chat/completions', fault })
    for (const path of ['/v1/chat/completions', '/chat/completions']) {
      const answer = await service.call('POST', path, {
        headers: bearer(service.account.apiKey),
        body: question,
      })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter])
    }
    expect((await service.call('GET', '/v1/models')).status).toBe(200)
    await order({ do: 'route-fault', route: 'POST /v1/chat/completions', fault: null })
    expect((await chat()).status).toBe(200)
    expect(service.sandbox.ledger()).toHaveLength(1)
  })

  test('switches faults of the enclave, and reports the active ones', async () => {
    await order({ do: 'enclave-fault', fault: 'old-tcb', on: true })
    await order({ do: 'route-fault', route: 'GET /v1/models', fault: { latency_ms: 1 } })
    expect(service.sandbox.faults()).toEqual(['old-tcb'])
    expect((await order({ do: 'status' })).body).toMatchObject({
      routes: expect.arrayContaining(['POST /v1/chat/completions', 'GET /keys']) as string[],
      route_faults: { 'GET /v1/models': { latencyMs: 1 } },
      enclave_faults: ['old-tcb'],
      records: 0,
      spent_usd: '0',
      unbalanced: [],
    })
  })

  test('returns 404 for unknown names, and 400 for an invalid command', async () => {
    for (const body of [
      { do: 'route-fault', route: 'GET /nowhere', fault: null },
      { do: 'enclave-fault', fault: 'none', on: true },
    ])
      expect((await order(body)).status).toBe(404)
    for (const body of [
      {},
      { do: 'dance' },
      { do: 'pay' },
      { do: 'route-fault', route: 'GET /v1/models', fault: { status: 200 } },
      '{',
    ])
      expect((await order(body)).status).toBe(400)
  })
})

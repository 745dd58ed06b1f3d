import { describe, expect, it } from 'vitest'
import { createPaymentTransport } from '../../../../src/core/gateway/relay/payment-transport.ts'
import { account, API_KEY, BASE, scripted, type Recorded } from '../service/scripted.ts'

const FROZEN = {
  endpoint: 'data',
  method: 'POST',
  path: '/v1/data/api/websearch/search',
  contentType: 'application/json',
  body: Buffer.from('{"query":"x"}'),
} as const
const never = new AbortController().signal
const INVOICE = 'lnbcrt420n1p4s9phlpp5w5t2n7en2xde85uxzhyt5rzy982ynazrtxr0ffheyut85eje3xwq'
const demand: Recorded = {
  status: 402,
  headers: {
    'www-authenticate': `L402 token="dG9rZW4=", invoice="${INVOICE}"`,
    date: 'Sat, 21 Nov 2026 21:00:03 GMT',
  },
  body: {},
}
const carry = (answers: readonly (Recorded | Error)[], kind: 'sandbox' | 'service' = 'service') => {
  const script = scripted(answers)
  return { carrier: createPaymentTransport(script.service, kind), sent: script.sent }
}

describe('a request that is paid separately', () => {
  it('is sent without an API key and with the same Idempotency-Key each time, and returns the payment challenge', async () => {
    const { carrier, sent } = carry([
      demand,
      { status: 200, headers: { 'content-type': 'application/json' }, body: { ok: true } },
    ])
    expect(await carrier.send(FROZEN, { idempotencyKey: 'one' }, never)).toMatchObject({
      kind: 'demand',
      status: 402,
      date: Date.UTC(2026, 10, 21, 21, 0, 3),
      challenge: { scheme: 'l402', token: 'dG9rZW4=', invoice: INVOICE },
    })
    expect(
      await carrier.send(FROZEN, { idempotencyKey: 'one', authorization: 'L402 dG9rZW4=:00' }, never),
    ).toMatchObject({ kind: 'answer', status: 200, contentType: 'application/json' })
    expect(
      sent.map(({ url, body, redirect, headers }) => [
        url,
        body,
        redirect,
        headers['idempotency-key'],
        headers['authorization'],
      ]),
    ).toEqual([
      [`${BASE}${FROZEN.path}`, '{"query":"x"}', 'manual', 'one', undefined],
      [`${BASE}${FROZEN.path}`, '{"query":"x"}', 'manual', 'one', 'L402 dG9rZW4=:00'],
    ])
    expect(JSON.stringify(sent)).not.toContain(API_KEY)
    expect(account.apiKey).toBe(API_KEY)
  })

  it.each([
    [{ status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} }, 'service/failed'],
    [{ status: 402, body: { error: 'insufficient_balance' } }, 'service/challenge-invalid'],
    [{ status: 500, body: {} }, 'service/failed'],
    [{ status: 200, headers: { 'content-type': 'text/html' }, text: '<html>' }, 'service/response-invalid'],
  ] as const)(
    'fails with a code if the response is neither a result nor a challenge: %j',
    async (answer, code) => {
      await expect(
        carry([answer]).carrier.send(FROZEN, { idempotencyKey: 'one' }, never),
      ).rejects.toMatchObject({ code })
    },
  )

  it('is sent once, even if it fails', async () => {
    const { carrier, sent } = carry([new Error('refused'), demand])
    await expect(carrier.send(FROZEN, { idempotencyKey: 'one' }, never)).rejects.toMatchObject({
      code: 'service/unreachable',
    })
    expect(sent).toHaveLength(1)
  })

  it.each([
    '/v1/chat/completions',
    '/v1/data/../keys',
    '/v1/data/%2e%2e/keys',
    '/v1/data/api/x?a b',
    'https://elsewhere.example/',
    '/v1/dataless#',
  ])('is refused if its path is outside its endpoint: %s', async (path) => {
    const { carrier, sent } = carry([demand])
    await expect(carrier.send({ ...FROZEN, path }, { idempotencyKey: 'one' }, never)).rejects.toMatchObject({
      code: 'proxy/internal',
    })
    expect(sent).toEqual([])
  })

  it.each(['x\r\ny', ' ', ''])(
    'is refused with an idempotency key that could end the header: %j',
    async (idempotencyKey) => {
      await expect(carry([demand]).carrier.send(FROZEN, { idempotencyKey }, never)).rejects.toMatchObject({
        code: 'proxy/internal',
      })
    },
  )
})

describe('an address from a response', () => {
  const png: Recorded = { status: 200, headers: { 'content-type': 'image/png' }, text: 'png' }
  it('is fetched from the service’s own origin, without a credential', async () => {
    const { carrier, sent } = carry([png])
    expect(await carrier.fetchOwn(`${BASE}/v1/media/gen_1/0?sig=x&exp=1`, never)).toMatchObject({
      status: 200,
      contentType: 'image/png',
    })
    expect(sent[0]!.headers).not.toHaveProperty('authorization')
  })
  it.each([
    'https://elsewhere.example/a.png',
    'http://api.service.example/a.png',
    'https://api.service.example:444/a',
    'https://me@api.service.example/a',
    'file:///etc/passwd',
  ])('is not fetched from %s', async (address) => {
    const { carrier, sent } = carry([png])
    await expect(carrier.fetchOwn(address, never)).rejects.toMatchObject({ code: 'service/foreign-address' })
    expect(sent).toEqual([])
  })
  it.each(['text/html', 'image/svg+xml', 'application/pdf'])('is refused if its type is %s', async (type) => {
    await expect(
      carry([{ status: 200, headers: { 'content-type': type }, text: '<svg>' }]).carrier.fetchOwn(
        `${BASE}/a`,
        never,
      ),
    ).rejects.toMatchObject({ code: 'service/response-invalid' })
  })
  it('of the sandbox is fetched from the sandbox’s current port; of a service it is refused on another port', async () => {
    const moved = 'https://api.service.example:4711/v1/videos/gen_1?sig=x'
    const { carrier, sent } = carry(
      [{ status: 202, headers: { 'content-type': 'application/json' }, body: { id: 'gen_1' } }],
      'sandbox',
    )
    await carrier.fetchOwn(moved, never)
    expect(sent[0]!.url).toBe(`${BASE}/v1/videos/gen_1?sig=x`)
    await expect(carry([png]).carrier.fetchOwn(moved, never)).rejects.toMatchObject({
      code: 'service/foreign-address',
    })
    await expect(
      carry([png], 'sandbox').carrier.fetchOwn('https://elsewhere.example/v1/x', never),
    ).rejects.toMatchObject({ code: 'service/foreign-address' })
  })
})

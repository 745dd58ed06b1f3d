import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxFault } from '../../../src/shared/sandbox-faults.ts'
import { bearer, creditId, dollar, startService, type Service } from '../service-client.ts'
import { fetchEvidence, sealedChat } from './enclave-client.ts'

let service: Service
let paid: Record<string, string>
beforeAll(async () => {
  service = await startService({ serviceEnclave: true })
  paid = bearer(service.account.apiKey)
})
afterEach(() => {
  for (const fault of service.sandbox.faults()) service.sandbox.setFault(fault, false)
  service.sandbox.clearReceived()
})
afterAll(() => service[Symbol.asyncDispose]())

const question = {
  model: 'sandbox/allegro-mini',
  messages: [{ role: 'user', content: 'Which apples keep through the winter?' }],
}
const error = (text: string) => JSON.parse(text) as { error: unknown }

describe('a sealed request', () => {
  test.each(['/v1/chat/completions', '/chat/completions'])(
    'at %s gets a sealed response, and costs as much as plaintext chat',
    async (path) => {
      const before = service.sandbox.ledger().length
      const answer = await sealedChat(service.sandbox, question, { path, headers: paid })
      expect([answer.status, answer.sealed, answer.headers.get('content-type')]).toEqual([
        200,
        true,
        'application/json; charset=utf-8',
      ])
      expect(answer.headers.get('ehbp-response-nonce')).toMatch(/^[0-9a-f]{64}$/)
      expect(JSON.parse(answer.text)).toMatchObject({
        model: 'sandbox/allegro-mini',
        choices: [{ message: { content: expect.stringContaining('apples') as string } }],
      })
      await service.call('POST', '/v1/chat/completions', { body: question, headers: paid })
      const [relayed, plain] = service.sandbox.ledger().slice(before)
      expect(relayed).toEqual(plain)
      expect(relayed!.picoUsd > 0n).toBe(true)
    },
  )

  test('gets a stream of keep-alives, the receipt, data and its end, in that order', async () => {
    const answer = await sealedChat(
      service.sandbox,
      { ...question, stream: true, stream_options: { include_usage: true } },
      { headers: paid },
    )
    expect([answer.status, answer.sealed, answer.headers.get('content-type')]).toEqual([
      200,
      true,
      'text/event-stream; charset=utf-8',
    ])
    expect(answer.text).toMatch(
      /^: PPQ\.AI PROCESSING\n\n: ppq-routing-receipt \{[^\n]*\}\n: ppq-routing-receipt-sig \{[^\n]*\}\n\ndata: \{/,
    )
    expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(answer.text).not.toContain('SANDBOX PROCESSING')
    expect(answer.text.split('\n').filter((line) => line.includes('"usage":{'))).toHaveLength(1)
    // Receipts in headers belong to answers in one piece.
    expect(answer.headers.get('ppq-routing-receipt')).toBeNull()
  })

  test('is read only from the first of several frames', async () => {
    for (const after of [
      Buffer.from('00000004deadbeef', 'hex'),
      Buffer.from('ff', 'hex'),
      Buffer.from('7fffffff00', 'hex'),
    ]) {
      expect((await sealedChat(service.sandbox, question, { headers: paid, after })).status).toBe(200)
    }
  })

  test('is recorded as sealed, without its content', async () => {
    service.sandbox.clearReceived()
    await sealedChat(service.sandbox, question, {
      headers: { ...paid, 'x-request-id': 'a'.repeat(32) },
      key: (await fetchEvidence(service.sandbox)).hpke_public_key,
    })
    const [, chat] = service.sandbox.received()
    expect(chat).toEqual({
      method: 'POST',
      path: '/service-enclave/v1/chat/completions',
      at: service.clock.now,
      bodyBytes: expect.any(Number) as number,
      sealed: true,
      apiKeyPresent: true,
      aborted: false,
    })
    expect(JSON.stringify(service.sandbox.received())).not.toMatch(/apples|sk-/)
  })

  test('can name its account by credit ID or x-api-key', async () => {
    expect(
      (await sealedChat(service.sandbox, question, { headers: creditId(service.account.creditId) })).status,
    ).toBe(200)
    expect(
      (await sealedChat(service.sandbox, question, { headers: { 'x-api-key': service.account.apiKey } }))
        .status,
    ).toBe(200)
  })
})

test('an unsealed body is accepted without a warning', async () => {
  const answer = await service.call('POST', '/service-enclave/v1/chat/completions', {
    body: question,
    headers: paid,
  })
  expect([answer.status, answer.headers.get('ehbp-response-nonce')]).toEqual([200, null])
  expect(answer.headers.get('ppq-routing-receipt-sig')).toContain('ECDSA-SHA256')
  expect(service.sandbox.received()).toMatchObject([{ sealed: false }])
})

describe('refused without a seal, so nothing in the response is authenticated', () => {
  const refused = { sealed: false }

  test('no credential, before anything is opened', async () => {
    const key = generateKeyPairSync('x25519')
      .publicKey.export({ type: 'spki', format: 'der' })
      .subarray(-32)
      .toString('hex')
    for (const options of [{}, { key }]) {
      const answer = await sealedChat(service.sandbox, question, options)
      expect(answer).toMatchObject({ ...refused, status: 401 })
      expect(error(answer.text)).toEqual({
        error: { message: 'Missing x-credit-id, Authorization or x-api-key', code: 401 },
      })
    }
  })

  test('an unknown key', async () => {
    const answer = await sealedChat(service.sandbox, question, { headers: bearer('sk-nobody') })
    expect(answer).toMatchObject({ ...refused, status: 401 })
    expect(error(answer.text).error).toBe('Invalid API key')
  })

  test('sealed to another key: 400 and not 422, before the account is checked', async () => {
    const key = generateKeyPairSync('x25519')
      .publicKey.export({ type: 'spki', format: 'der' })
      .subarray(-32)
      .toString('hex')
    for (const headers of [paid, bearer('sk-nobody')]) {
      const answer = await sealedChat(service.sandbox, question, { headers, key })
      expect(answer).toMatchObject({ ...refused, status: 400 })
      expect(error(answer.text)).toEqual({ error: { message: expect.any(String) as string, code: 400 } })
    }
  })

  test.each([
    ['an encapsulated key of upper-case digits', 'AB'.repeat(32), '0000000100'],
    ['an encapsulated key of low order', '00'.repeat(32), '0000000100'],
    ['no frame', '09'.repeat(32), ''],
    ['an empty first frame', '09'.repeat(32), '0000000000000001aa'],
    ['a frame that is cut', '09'.repeat(32), '00000020aabb'],
  ])('%s: 400', async (_, key, body) => {
    const response = await fetch(`${service.sandbox.baseUrl}/service-enclave/v1/chat/completions`, {
      method: 'POST',
      headers: { ...paid, 'ehbp-encapsulated-key': key },
      body: Buffer.from(body, 'hex'),
    })
    expect([response.status, response.headers.get('ehbp-response-nonce')]).toEqual([400, null])
    expect(error(await response.text()).error).toMatchObject({ code: 400 })
  })

  test.each([
    [
      'a private model',
      { ...question, model: 'private/sandbox-lento-8b' },
      400,
      'model_rejected_private_path',
    ],
    [
      'an unknown model',
      { ...question, model: 'sandbox/nobody' },
      404,
      { message: 'Unknown model', code: 404 },
    ],
    ['no JSON', '{"apples', 400, { message: expect.any(String) as string, code: 400 }],
    [
      'another form',
      { model: 'sandbox/allegro-mini', messages: 'apples' },
      400,
      { message: expect.any(String) as string, code: 400 },
    ],
    [
      'a tool that is not there',
      { ...question, tool_choice: { type: 'function', function: { name: 'apples' } } },
      400,
      { message: expect.any(String) as string, code: 400 },
    ],
  ])('%s: nothing of the body is repeated', async (_, body, status, expected) => {
    const before = service.sandbox.ledger().length
    const answer = await sealedChat(service.sandbox, body, { headers: paid })
    expect(answer).toMatchObject({ ...refused, status })
    expect(error(answer.text).error).toEqual(expected)
    expect(answer.text).not.toContain('apples')
    expect(answer.headers.get('ppq-routing-receipt')).toBeNull()
    expect(service.sandbox.ledger()).toHaveLength(before)
  })

  test('a balance that is too low', async () => {
    const poor = service.control.createAccount(dollar / 1_000_000n)
    const answer = await sealedChat(service.sandbox, question, { headers: bearer(poor.apiKey) })
    expect(answer).toMatchObject({ ...refused, status: 402 })
    expect(error(answer.text)).toEqual({ error: 'Insufficient credit.' })
  })

  test('a body over 25 MiB', async () => {
    const response = await fetch(`${service.sandbox.baseUrl}/service-enclave/v1/chat/completions`, {
      method: 'POST',
      headers: paid,
      body: Buffer.alloc(25 * 1024 * 1024 + 1),
    })
    expect(response.status).toBe(413)
  })

  test.each<[SandboxFault, number]>([
    ['status-401', 401],
    ['status-402', 402],
    ['status-429', 429],
    ['status-500-html', 500],
    ['plaintext-200', 200],
  ])('with the fault %s', async (fault, status) => {
    service.sandbox.setFault(fault, true)
    expect(await sealedChat(service.sandbox, question, { headers: paid })).toMatchObject({
      ...refused,
      status,
    })
  })
})

test('the fault relay-key-rotation changes the HPKE key once, and never the TLS key', async () => {
  const before = await fetchEvidence(service.sandbox)
  service.sandbox.setFault('relay-key-rotation', true)
  const refused = await sealedChat(service.sandbox, question, { headers: paid, key: before.hpke_public_key })
  expect(refused).toMatchObject({ status: 400, sealed: false })
  const after = await fetchEvidence(service.sandbox)
  expect(after.hpke_public_key).not.toBe(before.hpke_public_key)
  expect(after.cert_spki_sha256).toBe(before.cert_spki_sha256)
  for (let n = 0; n < 2; n += 1)
    expect(
      (await sealedChat(service.sandbox, question, { headers: paid, key: after.hpke_public_key })).status,
    ).toBe(200)
  service.sandbox.setFault('relay-key-rotation', true)
  expect(
    (await sealedChat(service.sandbox, question, { headers: paid, key: after.hpke_public_key })).status,
  ).toBe(400)
})

test('a stream that is cut between frames has no end', async () => {
  service.sandbox.setFault('cut-on-frame-boundary', true)
  const answer = await sealedChat(service.sandbox, { ...question, stream: true }, { headers: paid })
  expect(answer).toMatchObject({ status: 200, sealed: true })
  expect(answer.text).toMatch(/"content":"[^"]/)
  expect(answer.text).not.toContain('[DONE]')
})

test('latency can be set for its routes', async () => {
  service.control.setRouteFault('POST /service-enclave/v1/chat/completions', { latencyMs: 600_000 })
  const caller = new AbortController()
  const key = (await fetchEvidence(service.sandbox)).hpke_public_key
  const waiting = sealedChat(service.sandbox, question, { headers: paid, key, signal: caller.signal })
  await expect
    .poll(() => service.sandbox.received().some(({ path }) => path.endsWith('/completions')))
    .toBe(true)
  caller.abort()
  await expect(waiting).rejects.toThrow()
  service.control.setRouteFault('POST /service-enclave/v1/chat/completions', null)
  expect(() =>
    service.control.setRouteFault('POST /service-enclave/v1/chat/completions', { status: 500 }),
  ).toThrow(RangeError)
})

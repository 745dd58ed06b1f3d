import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { createAccount, postChat, sandboxFolder, startTestSandbox } from './cached-roots.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

async function listed(query: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${sandbox.baseUrl}/v1/models${query}`)
  return ((await response.json()) as { data: Record<string, unknown>[] }).data
}

test('an account is created, and its balance can be requested in three ways', async () => {
  const response = await fetch(`${sandbox.baseUrl}/accounts/create`, { method: 'POST' })
  expect(response.status).toBe(201)
  const account = (await response.json()) as { credit_id: string; api_key: string }
  expect(account).toEqual({
    success: true,
    balance: 5,
    credit_id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
    api_key: expect.stringMatching(/^sk-[A-Za-z0-9]{22}$/) as string,
  })
  const balance = async (body?: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${sandbox.baseUrl}/credits/balance`, {
      method: 'POST',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
    })
    return [answer.status, await answer.json()]
  }
  expect(await balance(JSON.stringify({ credit_id: account.credit_id }))).toEqual([200, { balance: 5 }])
  expect(await balance(undefined, { authorization: `Bearer ${account.api_key}` })).toEqual([
    200,
    { balance: 5 },
  ])
  expect(await balance(undefined, { 'api-key': account.api_key })).toEqual([200, { balance: 5 }])
  expect(await balance(JSON.stringify({ credit_id: crypto.randomUUID() }))).toEqual([200, { balance: 0 }])
  expect((await balance())[0]).toBe(401)
  expect((await balance(undefined, { authorization: 'Bearer sk-nobody' }))[0]).toBe(401)
  expect((await balance('['))[0]).toBe(400)
})

test('models are filtered by type, and private models are only in the list of all', async () => {
  const all = await listed('?type=all')
  const ids = (models: Record<string, unknown>[]) => models.map(({ id }) => id)
  expect(ids(all)).toEqual(
    expect.arrayContaining([
      'private/sandbox-whisper-70b',
      'private/sandbox-lento-8b',
      'sandbox/allegro-mini',
      'sandbox/andante-large',
    ]),
  )
  expect(new Set(ids(all)).size).toBe(all.length)
  expect(ids(await listed('')).every((id) => !String(id).startsWith('private/'))).toBe(true)
  expect(new Set((await listed('?type=image,video')).map(({ type }) => type))).toEqual(
    new Set(['image', 'video']),
  )
  expect(new Set((await listed('?type=embedding')).map(({ type }) => type))).toEqual(new Set(['embedding']))
  expect(await listed('?type=nothing')).toEqual([])
  // The specification names the default model of speech; all others say what they are.
  expect(all.map(({ id }) => String(id)).filter((id) => !id.includes('sandbox'))).toEqual(['deepgram_aura_2'])
})

test('an entry has nine attributes, and prices in the three known formats', async () => {
  const entries = Object.fromEntries((await listed('?type=all')).map((entry) => [String(entry['id']), entry]))
  expect(entries['private/sandbox-whisper-70b']).toEqual({
    id: 'private/sandbox-whisper-70b',
    object: 'model',
    name: 'Sandbox Whisper 70B',
    provider: 'Sotto Sandbox',
    context_length: 131_072,
    created_at: Date.parse('2026-08-19'),
    type: 'chat',
    popular: true,
    privacyLevel: 'e2e',
    architecture: { modality: 'text->text', input_modalities: ['text'] },
    pricing: {
      currency: 'USD',
      input_per_1M_tokens: 1.84625,
      output_per_1M_tokens: 2.90125,
      average_cost: 0.003296875,
      prompts_per_dollar: 303,
    },
  })
  expect(entries['sandbox/ritornello-classic']).toMatchObject({
    pricing: { api: { input_per_1M: 0.5275, output_per_1M: 1.055 } },
  })
  expect(entries['sandbox/auto']).toMatchObject({
    pricing: { input_per_1M_tokens: -1, output_per_1M_tokens: -1 },
  })
  expect(entries['private/sandbox-veduta-30b']).toMatchObject({
    architecture: { input_modalities: ['text', 'image'] },
  })
})

test('every response names the sandbox, and unknown paths return 404', async () => {
  for (const [method, path, status] of [
    ['GET', '/v1/models', 200],
    ['GET', '/', 404],
    ['POST', '/v1/media/models', 404],
    ['GET', '/private/attestation', 200],
    ['POST', '/private/attestation', 200],
  ] as const) {
    const response = await fetch(sandbox.baseUrl + path, { method })
    expect([path, response.status, response.headers.get('x-sotto-service')]).toEqual([
      path,
      status,
      'sandbox',
    ])
    if (status === 404) expect(await response.text()).toBe('OOPS! - 404 Not Found')
    else await response.text()
  }
})

test('received requests are recorded with path, size and key, without the query', async () => {
  const account = await createAccount(sandbox)
  sandbox.clearReceived()
  await (await fetch(`${sandbox.baseUrl}/v1/models?type=all`)).text()
  await (await postChat(sandbox, account, {}, { body: 'x'.repeat(100_000) })).text()
  await (await fetch(`${sandbox.baseUrl}/nowhere`, { method: 'POST', body: 'secret' })).text()
  const rest = { at: expect.any(Number) as number, sealed: false, aborted: false }
  expect(sandbox.received()).toEqual([
    { ...rest, method: 'GET', path: '/v1/models', bodyBytes: 0, apiKeyPresent: false },
    { ...rest, method: 'POST', path: '/chat/completions', bodyBytes: 100_000, apiKeyPresent: true },
    { ...rest, method: 'POST', path: '/nowhere', bodyBytes: 6, apiKeyPresent: false },
  ])
})

test('an incomplete body is recorded with its received bytes', async () => {
  sandbox.clearReceived()
  const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1')
  socket.write('POST /chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
  await expect.poll(() => sandbox.received()[0]?.bodyBytes).toBe(4)
  socket.destroy()
  await expect.poll(() => sandbox.received()[0]?.aborted).toBe(true)
})

test('the newest thousand requests are recorded', async () => {
  sandbox.clearReceived()
  for (let n = 0; n < 10; n += 1)
    await Promise.all(
      Array.from({ length: 101 }, async () => (await fetch(`${sandbox.baseUrl}/v1/models`)).text()),
    )
  expect(sandbox.received()).toHaveLength(1000)
})

test('a port in use is an error', async () => {
  const port = Number(new URL(sandbox.baseUrl).port)
  await expect(startSandbox({ folder: await sandboxFolder(), port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})

test('requests that need no roots are served while the roots are created', async () => {
  const folder = await sandboxFolder()
  const running = await startSandbox({ folder: `${folder}/new` })
  try {
    let minted = false
    const trusted = running.trust().then(() => {
      minted = true
    })
    const response = await fetch(`${running.baseUrl}/v1/models`)
    expect([response.status, minted]).toEqual([200, false])
    await trusted
  } finally {
    await running.close()
  }
})

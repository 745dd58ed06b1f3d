import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, creditId, question, startService, type Service } from './service-client.ts'

/** Bad input to every part of the service, by the status of the answer. No such request costs anything. */

let service: Service
let keys: { capped: string; revoked: string; expired: string; empty: string; revokedId: string }
beforeAll(async () => {
  service = await startService()
  const make = async (body: object) =>
    (await service.call('POST', '/keys', { headers: creditId(service.account.creditId), body })).body.data
  const [capped, revoked, expired] = [
    await make({ name: 'capped', usage_limit_usd: 0.01 }),
    await make({ name: 'revoked' }),
    await make({ name: 'expired', expire_at: new Date(service.clock.now + 1000).toISOString() }),
  ]
  await service.call('DELETE', `/keys/${revoked._id}`, { headers: creditId(service.account.creditId) })
  service.clock.now += 2000
  keys = {
    capped: capped.api_key,
    revoked: revoked.api_key,
    expired: expired.api_key,
    empty: service.control.createAccount(0n).apiKey,
    revokedId: revoked._id,
  }
})
afterAll(() => service[Symbol.asyncDispose]())

const keyHeaders = () => bearer(service.account.apiKey)
const owner = () => creditId(service.account.creditId)
type Asked = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>]
const embeddings = { model: 'sandbox/eco-embedding-small', input: 'x' }
const picture = { model: 'sandbox/bozzetto-image', prompt: 'x' }
const clip = { model: 'sandbox/carosello-video', prompt: 'x' }
const form = (fields: Record<string, string | Blob>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, value, 'speech.wav')
  }
  return data
}

async function answered([method, path, body, headers = keyHeaders()]: Asked): Promise<{
  status: number
  text: string
}> {
  const sent: RequestInit =
    body instanceof FormData
      ? { method, headers, body }
      : {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }
  const response = await fetch(service.sandbox.baseUrl + path, sent)
  return { status: response.status, text: await response.text() }
}

/** A 400 names the invalid field as the caller spelled it. */
const badInput: [string, () => Asked][] = [
  ['messages', () => ['POST', '/v1/chat/completions', { ...question, messages: [] }]],
  ['max_tokens', () => ['POST', '/chat/completions', { ...question, max_tokens: -1 }]],
  ['plugins', () => ['POST', '/v1/chat/completions', { ...question, plugins: [{ max_results: 5 }] }]],
  ['input', () => ['POST', '/v1/embeddings', { ...embeddings, input: [] }]],
  ['n', () => ['POST', '/v1/images/generations', { ...picture, n: 5 }]],
  ['image', () => ['POST', '/v1/images/edits', form({ model: 'sandbox/restauro-edit', prompt: 'x' })]],
  ['duration', () => ['POST', '/v1/videos', { ...clip, duration: '7' }]],
  ['input', () => ['POST', '/v1/audio/speech', { input: '' }]],
  ['file', () => ['POST', '/v1/audio/transcriptions', form({ language: 'en' })]],
  ['q_keywords', () => ['POST', '/v1/data/api/people/people-search', { q_keywords: 5 }]],
  ['name', () => ['POST', '/keys', { name: 'x'.repeat(26) }, owner()]],
  ['usage_limit_usd', () => ['POST', '/keys', { name: 'x', usage_limit_usd: 0.001 }, owner()]],
  ['expire_at', () => ['POST', '/keys', { name: 'x', expire_at: '2020-01-01T00:00:00Z' }, owner()]],
  ['amount', () => ['POST', '/topup/create/btc-lightning', { amount: -1, currency: 'USD' }]],
  ['currency', () => ['POST', '/topup/create/btc-lightning', { amount: 1, currency: 'EUR' }]],
  ['nwc_url', () => ['POST', '/nwc-auto-topup/connect', { nwc_url: 'nostr+walletconnect://x' }, owner()]],
  ['page_count', () => ['GET', '/queries/history?page_count=101']],
]

const others: [number, string, () => Asked][] = [
  [401, 'no key where none can be bought', () => ['POST', '/v1/chat/completions', question, {}]],
  [
    401,
    'a key that nobody has',
    () => ['POST', '/v1/images/generations', picture, bearer('sk-nobody-has-this-one-00')],
  ],
  [401, 'a revoked key', () => ['POST', '/v1/embeddings', embeddings, bearer(keys.revoked)]],
  [401, 'an expired key', () => ['POST', '/v1/chat/completions', question, bearer(keys.expired)]],
  [401, 'a key where the account’s id is asked for', () => ['GET', '/keys', undefined, keyHeaders()]],
  [402, 'an empty balance: chat', () => ['POST', '/v1/chat/completions', question, bearer(keys.empty)]],
  [402, 'an empty balance: embeddings', () => ['POST', '/v1/embeddings', embeddings, bearer(keys.empty)]],
  [402, 'an empty balance: a clip', () => ['POST', '/v1/videos', clip, bearer(keys.empty)]],
  [
    402,
    'an empty balance: data',
    () => ['POST', '/v1/data/api/websearch/search', { query: 'x' }, bearer(keys.empty)],
  ],
  [402, 'the cap of a key', () => ['POST', '/v1/videos', clip, bearer(keys.capped)]],
  [402, 'nobody, where it can be bought alone', () => ['POST', '/v1/images/generations', picture, {}]],
  [403, 'media without a signature', () => ['GET', '/v1/media/gen_none/0', undefined, {}]],
  [404, 'a path', () => ['POST', '/v1/nothing', {}]],
  [404, 'a model', () => ['POST', '/v1/chat/completions', { ...question, model: 'no/such' }]],
  [404, 'a clip of nobody', () => ['GET', '/v1/videos/gen_none']],
  [404, 'an invoice', () => ['GET', '/topup/status/none']],
  [404, 'a key by its id', () => ['GET', '/keys/000000000000000000000000', undefined, owner()]],
  [409, 'a name that is taken', () => ['POST', '/keys', { name: 'capped' }, owner()]],
  [409, 'a key that was revoked already', () => ['DELETE', `/keys/${keys.revokedId}`, undefined, owner()]],
  [
    413,
    'a recording above 25 MB',
    () => [
      'POST',
      '/v1/audio/transcriptions',
      form({ file: new Blob([Buffer.alloc(25 * 1024 * 1024 + 1)]) }),
    ],
  ],
  [
    415,
    'JSON that is called text',
    () => [
      'POST',
      '/v1/embeddings',
      JSON.stringify(embeddings),
      { ...keyHeaders(), 'content-type': 'text/plain' },
    ],
  ],
  [415, 'JSON in place of a form', () => ['POST', '/v1/audio/transcriptions', {}]],
  [
    422,
    'a voice of the other family',
    () => [
      'POST',
      '/v1/audio/speech',
      { input: 'x', model: 'deepgram_aura_2', voice: 'sbxV0ceDolce7aMezza' },
    ],
  ],
]

describe('invalid input is refused with', () => {
  async function costsNothing(asked: () => Asked): Promise<{ status: number; text: string }> {
    const before = [service.control.records(), await balance()]
    const answer = await answered(asked())
    expect([service.control.records(), await balance()]).toEqual(before)
    expect(service.control.unbalanced()).toEqual([])
    return answer
  }
  const balance = async () =>
    (await service.call('POST', '/credits/balance', { body: { credit_id: service.account.creditId } })).body
      .balance

  test.each(badInput)('400 and the field %s, without a debit', async (field, asked) => {
    const { status, text } = await costsNothing(asked)
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(`"field":"${field}|Invalid request: ${field}`))
  })

  test.each(others)('%i: %s, without a debit', async (status, _description, asked) => {
    expect((await costsNothing(asked)).status).toBe(status)
  })

  // The specification names no rate limit, so the sandbox has none by default.
  test('429 and the time to wait while that fault is set, without a debit', async () => {
    service.control.setRouteFault('POST /v1/chat/completions', { status: 429, retryAfter: 3 })
    expect((await costsNothing(() => ['POST', '/v1/chat/completions', question])).status).toBe(429)
    service.control.setRouteFault('POST /v1/chat/completions', null)
  })
})

import Anthropic from '@anthropic-ai/sdk'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toAnthropicError } from '../../../../../src/core/gateway/dialect/messages/index.ts'
import { errorCodeNames, isErrorCode } from '../../../../../src/shared/error-codes.ts'
import { SottoError } from '../../../../../src/shared/errors.ts'
import { formsOf } from '../../../../canary.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../../world.ts'
import { anthropicSdk } from './anthropic-client.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

const good = {
  '/v1/messages': { model: PRIVATE_MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] },
  '/v1/responses': { model: PRIVATE_MODEL, max_output_tokens: 20, input: 'hello' },
} as const
const paths = ['/v1/messages', '/v1/responses'] as const

interface AnthropicBody {
  type: string
  error: { type: string; message: string; details: { error_code: string; param?: string } }
  request_id: string | null
}
interface OpenAiBody {
  error: { type: string; message: string; code: string; param: string | null }
}

/** The code and the parameter, from the shape in which this path's callers read them. */
async function refusal(
  path: string,
  response: Response,
): Promise<{ status: number; code: string; param: string | null }> {
  const body: unknown = await response.json()
  if (path.includes('/messages')) {
    const { type, error } = body as AnthropicBody
    expect(type).toBe('error')
    expect(error.message.length).toBeGreaterThan(20)
    return { status: response.status, code: error.details.error_code, param: error.details.param ?? null }
  }
  const { error } = body as OpenAiBody
  expect(Object.keys(error)).toEqual(expect.arrayContaining(['message', 'type', 'code', 'param']))
  return { status: response.status, code: error.code, param: error.param }
}

describe.each(paths)('%s', (path) => {
  it.each<[string, number, string, string | null, object | string, Record<string, string>?]>([
    ['no key', 401, 'auth/missing-api-key', null, good[path], { authorization: '' }],
    [
      'a wrong key',
      401,
      'auth/invalid-api-key',
      null,
      good[path],
      { authorization: '', 'x-api-key': 'wrong' },
    ],
    ['a page', 403, 'proxy/origin-forbidden', null, good[path], { origin: 'https://evil.example' }],
    ['a form', 415, 'proxy/content-type', null, good[path], { 'content-type': 'text/plain' }],
    ['no JSON', 400, 'proxy/malformed-json', null, '{'],
    [
      'a member twice',
      400,
      'proxy/duplicate-member',
      'model',
      `{"model":"${PLAINTEXT_MODEL}","model":"${PRIVATE_MODEL}"}`,
    ],
    ['no model', 400, 'proxy/model-missing', 'model', { ...good[path], model: undefined }],
    ['an unknown model', 404, 'model/unknown', 'model', { ...good[path], model: 'private/none' }],
    ['a disguised model', 404, 'model/unknown', 'model', { ...good[path], model: ` ${PRIVATE_MODEL}` }],
    ['a model in a list', 400, 'proxy/model-missing', 'model', { ...good[path], model: [PRIVATE_MODEL] }],
    ['plugins', 400, 'dialect/unsupported', 'plugins', { ...good[path], plugins: [{ id: 'web' }] }],
    ['too much', 413, 'proxy/body-too-large', null, ' '.repeat(64 * 1024 * 1024 + 1)],
  ])(
    'refuses in its own error shape, and sends nothing: %s',
    async (_what, status, code, param, body, headers) => {
      expect(await refusal(path, await world.post(body, headers, path))).toEqual({ status, code, param })
      expect(chatRequests(world.sandbox)).toEqual([])
    },
  )
  it('refuses a model in the address', async () => {
    expect(
      await refusal(path, await world.post(good[path], {}, `${path}?model=${PRIVATE_MODEL}`)),
    ).toMatchObject({ status: 400, code: 'privacy/path' })
  })
  it('refuses an unknown path below it, and an unknown ID', async () => {
    const ask = (method: string, below: string): Promise<Response> =>
      fetch(`${world.baseUrl.replace('/v1', '')}${path}/${below}`, {
        method,
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      })
    for (const [method, below] of [
      ['GET', 'some_id'],
      ['DELETE', 'some_id'],
      ['POST', 'some_id/cancel'],
      ['POST', 'batches'],
      ['POST', 'compact'],
      ['GET', 'some_id/input_items'],
    ] as const) {
      const ofResponse = path === '/v1/responses' && below.startsWith('some_id')
      expect(await refusal(path, await ask(method, below))).toMatchObject(
        ofResponse ? { status: 404, code: 'response/unknown' } : { status: 400, code: 'dialect/unsupported' },
      )
    }
  })
  it('is also served without the prefix, and with x-api-key', async () => {
    const response = await world.post(
      good[path],
      { authorization: '', 'x-api-key': world.key },
      path.replace('/v1', ''),
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sotto-privacy')).toBe('sealed')
    expect(response.headers.get('server-timing')).toMatch(/^sotto;dur=/)
    expect(response.headers.get('x-sotto-service')).toBe('sandbox')
  })
  it.each([false, true])('sends no part of a private request unsealed: stream %s', async (stream) => {
    const canary = `canary-${randomUUID()}`
    const { length } = world.outbound
    const prompt = `Say ${canary}`
    const body =
      path === '/v1/messages'
        ? { ...good[path], system: canary, messages: [{ role: 'user', content: prompt }], stream }
        : { ...good[path], instructions: canary, input: prompt, stream }
    const response = await world.post(body, {}, path)
    await response.text()
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
    const sent = Buffer.concat(world.outbound.slice(length))
    expect(sent.byteLength).toBeGreaterThan(100)
    expect(formsOf(canary, sent)).toEqual([])
  })
  it('names the members that it ignores', async () => {
    const more = path === '/v1/messages' ? { metadata: { user_id: 'u' } } : { prompt_cache_key: 'k' }
    const response = await world.post({ ...good[path], ...more }, {}, path)
    expect(response.headers.get('x-sotto-ignored')).toBe(Object.keys(more)[0])
  })
  it('returns the receipt ID as the request ID for every outcome', async () => {
    const header = path === '/v1/messages' ? 'request-id' : 'x-request-id'
    for (const body of [good[path], { ...good[path], model: 'none' }]) {
      const { headers } = await world.post(body, {}, path)
      expect(headers.get(header)).toBe(headers.get('x-sotto-receipt'))
      expect(await world.call('receipts/get', { receiptId: headers.get(header) })).toMatchObject({
        model: body.model,
      })
    }
  })
})

describe('count_tokens', () => {
  it('is within 15 % of the service’s count, and sends nothing', async () => {
    const client = anthropicSdk(world)
    const body = {
      model: PRIVATE_MODEL,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: 'How are “you”? '.repeat(50) }],
      tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
    }
    const { input_tokens: counted } = await client.messages.countTokens(body)
    expect(chatRequests(world.sandbox)).toEqual([])
    const { usage } = await client.messages.create({ ...body, max_tokens: 5 })
    expect(counted).toBeGreaterThan(usage.input_tokens * 0.87)
    expect(counted).toBeLessThan(usage.input_tokens * 1.15)
  })
  it('counts an image, and refuses a file and an unlisted model', async () => {
    const client = anthropicSdk(world)
    const picture = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' },
    }
    const file = {
      type: 'document' as const,
      source: { type: 'base64' as const, media_type: 'application/pdf' as const, data: 'AAAA' },
    }
    expect(
      await client.messages.countTokens({
        model: PRIVATE_MODEL,
        messages: [{ role: 'user', content: [picture] }],
      }),
    ).toEqual({ input_tokens: 1604 })
    await expect(
      client.messages.countTokens({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: [file] }] }),
    ).rejects.toMatchObject({ status: 400, errorCode: 'dialect/unsupported' })
    await expect(
      client.messages.countTokens({ model: 'none', messages: [{ role: 'user', content: 'a' }] }),
    ).rejects.toThrow(Anthropic.NotFoundError)
  })
})

describe('clients are not asked to retry if a retry can’t succeed', () => {
  it.each(['/v1/messages', '/v1/responses', '/v1/chat/completions'])('%s', async (path) => {
    world.sandbox.setFault('other-measurement', true)
    world.clock.ahead += 2 * 3600_000
    try {
      const body =
        path === '/v1/messages'
          ? good[path]
          : path === '/v1/responses'
            ? good[path]
            : { model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'a' }] }
      const response = await world.post(body, {}, path)
      expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false'])
    } finally {
      world.sandbox.setFault('other-measurement', false)
    }
  })
})

describe('Anthropic’s error shape', () => {
  const types = new Set([
    'invalid_request_error',
    'authentication_error',
    'billing_error',
    'permission_error',
    'not_found_error',
    'rate_limit_error',
    'timeout_error',
    'overloaded_error',
    'api_error',
  ])
  it.each(errorCodeNames)('%s has a type of the SDK, and keeps its code', (code) => {
    if (!isErrorCode(code)) throw new Error(code)
    const failure = new SottoError(code)
    const { error } = toAnthropicError(failure)
    expect(types).toContain(error.type)
    expect(error.details.error_code).toBe(code)
    if (failure.type === 'insufficient_quota') expect(error.type).toBe('billing_error')
  })
})

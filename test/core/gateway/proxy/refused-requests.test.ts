import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

/** More than 75,000 tokens, for a model with a context of 32,768. */
const content = 'river '.repeat(75_000)
const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/api/chat'] as const

let world: World
beforeAll(async () => {
  world = await startWorld()
  ;(await world.sandbox.control()).enforceContextLength(true)
})
afterAll(() => world[Symbol.asyncDispose]())

function bodyFor(path: (typeof paths)[number], model: string, stream: boolean): object {
  if (path === '/v1/responses') return { model, stream, input: content }
  return {
    model,
    stream,
    messages: [{ role: 'user', content }],
    ...(path === '/v1/messages' && { max_tokens: 100 }),
  }
}

it.each(paths.flatMap((path) => [false, true].map((stream) => [path, stream] as const)))(
  'a prompt that is too long is refused in the shape of %s, by the code that agents act on: stream %s',
  async (path, stream) => {
    const response = await world.post(bodyFor(path, PRIVATE_MODEL, stream), {}, path)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const expected =
      path === '/api/chat'
        ? { error: expect.stringMatching(/context/) as unknown }
        : path === '/v1/messages'
          ? {
              type: 'error',
              error: {
                type: 'invalid_request_error',
                message: expect.stringMatching(/^prompt is too long/) as unknown,
                details: { error_code: 'context_length_exceeded' },
              },
            }
          : { error: { type: 'invalid_request_error', code: 'context_length_exceeded' } }
    expect(await response.json()).toMatchObject(expected)
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-sotto-receipt'))
  },
)

it.each(paths)('the model has one name in every dialect, and every answer a request ID: %s', async (path) => {
  for (const model of [PRIVATE_MODEL, PLAINTEXT_MODEL]) {
    for (const stream of [false, true]) {
      const messages = [{ role: 'user', content: 'x' }]
      const body =
        path === '/v1/responses'
          ? { model, stream, input: 'x', max_output_tokens: 5 }
          : {
              model,
              stream,
              messages,
              ...(path === '/api/chat' ? { options: { num_predict: 5 } } : { max_tokens: 5 }),
            }
      const response = await world.post(body, {}, path)
      expect([...(await response.text()).matchAll(/"model":"([^"]+)"/g)].map(([, name]) => name)).toEqual(
        expect.arrayContaining([model]),
      )
      expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-sotto-receipt'))
    }
  }
})

interface Row {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly status: number
  readonly code: string
  readonly message: RegExp
}
const json = { 'content-type': 'application/json' }
const anthropic = { 'anthropic-version': '2023-06-01' }
const rows: readonly Row[] = [
  // The path is judged first, whatever the rest of the request is.
  ...[
    {},
    json,
    { 'content-type': 'text/plain' },
    { ...json, authorization: '' },
    { ...json, authorization: 'Bearer wrong' },
    { ...json, 'content-encoding': 'x' },
  ].flatMap((headers): Row[] => [
    {
      path: '/v1/chat/completion',
      headers,
      body: `{"model":"${PRIVATE_MODEL}"}`,
      status: 404,
      code: 'proxy/path-unknown',
      message: /The request was POST \/v1\/chat\/completion\. Near paths: POST \/v1\/chat\/completions\b/,
    },
    {
      path: '/v1/v1//audio/translations/',
      headers,
      body: '{',
      status: 404,
      code: 'proxy/path-unknown',
      message: /POST \/v1\/audio\/translations\. Near paths: POST \/v1\/audio\/(?:speech|transcriptions)/,
    },
    {
      path: '/chat/completion',
      headers: { ...headers, ...anthropic },
      body: '{}',
      status: 404,
      code: 'proxy/path-unknown',
      message: /Near paths: POST \/v1\/chat\/completions/,
    },
    {
      method: 'GET',
      path: '/v1/chat/completions',
      headers,
      status: 404,
      code: 'proxy/path-unknown',
      message: /GET \/v1\/chat\/completions\. Near paths: POST \/v1\/chat\/completions\./,
    },
  ]),
  // Then the key, then the form of the body, then its model.
  ...[
    '/v1/chat/completions',
    '/chat/completions/',
    '/v1/v1/responses',
    '//v1/messages',
    '/v1/completions',
    '/v1/embeddings',
  ].flatMap((path): Row[] => [
    {
      path,
      headers: { authorization: '', 'content-type': 'text/plain' },
      body: '{',
      status: 401,
      code: 'auth/missing-api-key',
      message: /"api-key/,
    },
    {
      path,
      headers: { authorization: '', 'x-api-key': 'a', 'api-key': 'b', 'content-type': 'text/plain' },
      body: '{',
      status: 401,
      code: 'auth/invalid-api-key',
      message: /Send the local key that Sotto shows/,
    },
    {
      path,
      headers: { 'content-type': 'text/plain' },
      body: '{',
      status: 415,
      code: 'proxy/content-type',
      message: /application\/json/,
    },
    {
      path,
      headers: { ...json, 'content-encoding': 'gzip, gzip' },
      body: gzipSync(gzipSync('{}')),
      status: 415,
      code: 'proxy/content-encoding',
      message: /"gzip, gzip"/,
    },
    { path, headers: json, body: '{', status: 400, code: 'proxy/malformed-json', message: /one JSON object/ },
    {
      path,
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync('{'),
      status: 400,
      code: 'proxy/malformed-json',
      message: /one JSON object/,
    },
  ]),
]

it.each(
  rows.map((row) => [row.method ?? 'POST', row.path, row.code, JSON.stringify(row.headers), row] as const),
)(
  '%s %s: %s for %s',
  async (
    _method,
    _path,
    _code,
    _headers,
    { method = 'POST', path, headers = {}, body, status, code, message },
  ) => {
    const response = await fetch(`${world.baseUrl.replace(/\/v1$/, '')}${path}`, {
      method,
      headers: { authorization: `Bearer ${world.key}`, ...headers },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : new Uint8Array(body ?? []) }),
    })
    const { error } = (await response.json()) as {
      error: { code?: string; message: string; details?: { error_code: string } }
    }
    const inAnthropicShape = path.includes('messages') || 'anthropic-version' in headers
    expect([response.status, inAnthropicShape ? error.details?.error_code : error.code]).toEqual([
      status,
      code,
    ])
    expect(error.message).toMatch(message)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  },
)

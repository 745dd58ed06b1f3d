import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../../world.ts'

/** What a path reads, and in which shape it refuses. */
type Path = readonly [
  path: string,
  accepts: readonly ('json' | 'form')[],
  shape: 'openai' | 'messages' | 'ollama',
]

const SERVED: readonly Path[] = [
  ['/v1/chat/completions', ['json'], 'openai'],
  ['/v1/completions', ['json'], 'openai'],
  ['/v1/responses', ['json'], 'openai'],
  ['/v1/messages', ['json'], 'messages'],
  ['/v1/messages/count_tokens', ['json'], 'messages'],
  ['/v1/embeddings', ['json'], 'openai'],
  ['/v1/images/generations', ['json'], 'openai'],
  ['/v1/images/edits', ['form'], 'openai'],
  ['/v1/videos', ['json', 'form'], 'openai'],
  ['/v1/audio/speech', ['json'], 'openai'],
  ['/v1/audio/transcriptions', ['form'], 'openai'],
  ['/api/chat', ['json'], 'ollama'],
  ['/api/generate', ['json'], 'ollama'],
  ['/api/embed', ['json'], 'ollama'],
  ['/api/show', ['json'], 'ollama'],
]
/** Paths that tools write by mistake, and other APIs. */
const UNSERVED: readonly Path[] = [
  ['/v1/chat/completion', [], 'openai'],
  ['/v2/chat/completions', [], 'openai'],
  ['/v1/files', [], 'openai'],
  ['/v1/engines/x/completions', [], 'openai'],
  ['/api/pull', [], 'ollama'],
  ['/models/x:generateContent', [], 'openai'],
]
const CONTENT_TYPES = [
  ['application/json', 'json', '{}'],
  ['application/json; charset=utf-8', 'json', '{}'],
  ['multipart/form-data; boundary=b', 'form', '--b--\r\n'],
  ['application/x-www-form-urlencoded', undefined, 'a=b'],
  ['text/plain', undefined, '{}'],
  ['application/octet-stream', undefined, '{}'],
] as const

interface Refusal {
  readonly status: number
  readonly code: string | undefined
  readonly shape: 'openai' | 'messages' | 'ollama'
  readonly message: string
}

let world: World
let credentials: Record<
  string,
  { readonly headers: Record<string, string>; readonly refused?: readonly [code: string, words: RegExp] }
>
beforeAll(async () => {
  world = await startWorld()
  const revoked = (await world.call('localApi/create', { name: 'Revoked', limits: {} })) as {
    key: { id: string }
    secret: string
  }
  await world.call('localApi/revoke', { keyId: revoked.key.id })
  const expired = (await world.call('localApi/create', {
    name: 'Expired',
    limits: { expiresAt: Date.now() + 60_000 },
  })) as { secret: string }
  world.clock.ahead += 120_000
  credentials = {
    none: { headers: {}, refused: ['auth/missing-api-key', /local key/i] },
    'a key of the service': {
      headers: { authorization: 'Bearer sk-AbCdEfGhIjKlMnOp' },
      refused: ['auth/invalid-api-key', /key/],
    },
    Basic: { headers: { authorization: 'Basic eDp5' }, refused: ['auth/missing-api-key', /local key/i] },
    'a revoked key': {
      headers: { authorization: `Bearer ${revoked.secret}` },
      refused: ['auth/revoked-api-key', /revoked/],
    },
    'an expired key': {
      headers: { 'x-api-key': expired.secret },
      refused: ['auth/expired-api-key', /expired/],
    },
    Bearer: { headers: { authorization: `Bearer ${world.key}` } },
    'x-api-key': { headers: { 'x-api-key': world.key } },
    'api-key': { headers: { 'api-key': world.key } },
    'the valid one of two': {
      headers: { authorization: 'Bearer sk-AbCdEfGhIjKlMnOp', 'x-api-key': world.key },
    },
  }
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(path: string, headers: Record<string, string>, body: string): Promise<Refusal> {
  const response = await fetch(`${world.baseUrl.replace(/\/v1$/, '')}${path}`, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
  })
  const answer = (await response.json()) as {
    type?: string
    error: string | { message: string; type: string; code?: string; param?: string | null }
  }
  expect(response.headers.get('x-request-id')).toBeTruthy()
  if (typeof answer.error === 'string')
    return { status: response.status, code: undefined, shape: 'ollama', message: answer.error }
  const { message, code } = answer.error
  return {
    status: response.status,
    code: code ?? /\(([a-z-]+\/[a-z-]+)\)/.exec(message)?.[1],
    shape: answer.type === 'error' ? 'messages' : 'openai',
    message,
  }
}

const KEYLESS_CODES = [
  'auth/missing-api-key',
  'auth/invalid-api-key',
  'auth/revoked-api-key',
  'auth/expired-api-key',
  'proxy/path-unknown',
  'proxy/content-type',
]

describe.each([...SERVED, ...UNSERVED])('%s', (path, accepts, shape) => {
  const served = accepts.length > 0

  it('is judged by path, key and content type, in this order, in the caller’s shape', async () => {
    for (const anthropic of [false, true]) {
      for (const [name, { headers, refused }] of Object.entries(credentials)) {
        for (const [type, kind, body] of CONTENT_TYPES) {
          const found = await ask(
            path,
            { ...headers, 'content-type': type, ...(anthropic && { 'anthropic-version': '2023-06-01' }) },
            body,
          )
          const at = `${path}, ${name}, ${type}, ${anthropic ? 'Anthropic' : 'other'}`
          const expected = !served
            ? [404, 'proxy/path-unknown']
            : refused
              ? [401, refused[0]]
              : kind === undefined || !accepts.includes(kind)
                ? [415, 'proxy/content-type']
                : undefined
          expect([at, found.shape]).toEqual([
            at,
            shape !== 'openai' ? shape : anthropic && !served ? 'messages' : found.shape,
          ])
          if (expected) expect([at, found.status, found.code ?? expected[1]]).toEqual([at, ...expected])
          else {
            expect([
              at,
              found.status >= 400 && found.status < 500 && ![401, 404, 415].includes(found.status),
            ]).toEqual([at, true])
            expect(KEYLESS_CODES).not.toContain(found.code)
          }
          if (!served) expect(found.message).toMatch(new RegExp(path.slice(1).replaceAll(/[^\w/.-]/g, '.')))
          else if (refused) expect(found.message).toMatch(refused[1])
        }
      }
    }
  })
})

it('only requests whose content the service judges reached it', () => {
  const sent = world.sandbox
    .received()
    .filter(({ method, path }) => method === 'POST' && path !== '/accounts/create')
  expect(new Set(sent.map(({ path }) => path))).toEqual(
    new Set(['/v1/audio/speech', '/v1/audio/transcriptions']),
  )
})

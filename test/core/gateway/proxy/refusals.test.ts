import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'
import { windowCaller } from '../../../window-caller.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.core.api(
    new Request('http://sotto.invalid/api/models/list', { method: 'POST', body: '{}' }),
    windowCaller,
  )
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

const messages = [{ role: 'user', content: 'hello' }]
const good = { model: PRIVATE_MODEL, messages }

interface Refusal {
  error: { code: string; message: string; type: string; param: string | null }
}

async function refused(response: Response, status: number, code: string): Promise<Refusal> {
  const body = (await response.json()) as Refusal
  expect({ status: response.status, code: body.error.code }).toEqual({ status, code })
  expect(Object.keys(body.error)).toEqual(expect.arrayContaining(['message', 'type', 'code', 'param']))
  expect(body.error.message.length).toBeGreaterThan(20)
  expect(response.headers.get('x-sotto-service')).toBe('sandbox')
  expect(chatRequests(world.sandbox)).toEqual([])
  return body
}

/** fetch writes Host and Origin itself, so those are sent by hand. */
function raw(
  headers: Record<string, string>,
  method = 'POST',
  path = '/v1/chat/completions',
  body: string | Buffer = JSON.stringify(good),
): Promise<Response> {
  const { port } = new URL(world.baseUrl)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve(
            new Response(Buffer.concat(chunks), {
              status: response.statusCode ?? 0,
              headers: { 'x-sotto-service': String(response.headers['x-sotto-service']) },
            }),
          ),
        )
      },
    )
    request.on('error', reject)
    request.end(method === 'GET' ? undefined : body)
  })
}

describe('the proxy refuses, and sends nothing', () => {
  it('no local key', async () => {
    await refused(await world.post(good, { authorization: '' }), 401, 'auth/missing-api-key')
    await refused(await fetch(`${world.baseUrl}/models`), 401, 'auth/missing-api-key')
  })
  it.each([['Bearer wrong'], ['Bearer sk-sotto-'], ['Basic abc']])(
    'the wrong local key: %s',
    async (authorization) => {
      await refused(
        await world.post(good, { authorization }),
        401,
        authorization.startsWith('Bearer') ? 'auth/invalid-api-key' : 'auth/missing-api-key',
      )
    },
  )
  it.each([['evil.example'], ['127.0.0.1'], ['127.0.0.1.nip.io:80'], ['localhost:1']])(
    'a foreign Host: %s',
    async (host) => {
      await refused(await raw({ host }), 403, 'proxy/host-forbidden')
    },
  )
  it.each([['https://evil.example'], ['null'], ['http://localhost:5173']])(
    'a page’s Origin: %s',
    async (origin) => {
      await refused(await raw({ origin }), 403, 'proxy/origin-forbidden')
    },
  )
  it('a page’s simple request, by Sec-Fetch-Site', async () => {
    await refused(await raw({ 'sec-fetch-site': 'cross-site' }), 403, 'proxy/origin-forbidden')
  })
  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
  ])('the content type %s', async (type) => {
    await refused(await world.post(JSON.stringify(good), { 'content-type': type }), 415, 'proxy/content-type')
  })
  it.each([
    ['compress'],
    ['gzip, gzip'],
    ['gzip,br'],
    ['identity, gzip'],
    ['x-otter'],
    ['constructor'],
    ['*'],
  ])('the content encoding %s, and names it', async (encoding) => {
    for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/embeddings']) {
      const response = await world.post(good, { 'content-encoding': encoding }, path)
      expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd')
      expect((await refused(response, 415, 'proxy/content-encoding')).error.message).toContain(
        `"${encoding}"`,
      )
    }
  })
  it('a malformed content encoding, and repeats it without special characters', async () => {
    const { error } = await refused(
      await raw({ 'content-encoding': 'gzip<script>' }),
      415,
      'proxy/content-encoding',
    )
    expect(error.message).toContain('"gzip?script?"')
  })
  it.each([
    ['charset=utf-16', 'utf-16'],
    ['charset=ISO-8859-1', 'iso-8859-1'],
    ['charset="windows-1252"', 'windows-1252'],
    ['charset=utf-7', 'utf-7'],
    ['Charset=utf-16', 'utf-16'],
    ['x=y; charset=utf-16', 'utf-16'],
    ['charset = utf-16', 'utf-16'],
    ['charset=utf-8; charset=utf-16', 'utf-8, utf-16'],
    ['charset=', ''],
  ])('%s, and names the character set', async (parameter, name) => {
    for (const path of ['/v1/chat/completions', '/v1/embeddings']) {
      expect(
        (
          await refused(
            await raw({ 'content-type': `application/json; ${parameter}` }, 'POST', path),
            415,
            'proxy/charset',
          )
        ).error.message,
      ).toContain(`"${name}"`)
    }
  })
  it.each([['{'], ['[]'], ['"x"'], ['null'], ['{"model":"a",}'], ['']])(
    'malformed JSON: %s',
    async (body) => {
      await refused(await world.post(body), 400, 'proxy/malformed-json')
    },
  )
  it('bytes that are not UTF-8', async () => {
    await refused(
      await raw({}, 'POST', '/v1/chat/completions', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      400,
      'proxy/malformed-json',
    )
  })
  it('a duplicate member, in any spelling', async () => {
    await refused(
      await world.post(`{"model":"${PLAINTEXT_MODEL}","model":"${PRIVATE_MODEL}","messages":[]}`),
      400,
      'proxy/duplicate-member',
    )
    await refused(
      await world.post(`{"model":"${PRIVATE_MODEL}","mod\\u0065l":"${PLAINTEXT_MODEL}","messages":[]}`),
      400,
      'proxy/duplicate-member',
    )
  })
  it.each([[{ messages }], [{ model: '', messages }], [{ model: 7, messages }], [{ model: null, messages }]])(
    'a missing model: %j',
    async (body) => {
      await refused(await world.post(body), 400, 'proxy/model-missing')
    },
  )
  it('messages that are not a list', async () => {
    await refused(await world.post({ model: PRIVATE_MODEL, messages: 'hello' }), 400, 'proxy/invalid-request')
  })
  it.each([
    ['nobody/none'],
    ['private/none'],
    [` ${PRIVATE_MODEL}`],
    [PRIVATE_MODEL.toUpperCase()],
    ['private/../x'],
  ])('a model that is not listed: %s', async (model) => {
    const { error } = await refused(await world.post({ model, messages }), 404, 'model/unknown')
    expect(error.param).toBe('model')
  })
  it('a private model with plugins', async () => {
    await refused(await world.post({ ...good, plugins: [{ id: 'web' }] }), 400, 'privacy/plugins')
    await refused(await world.post({ ...good, plugins: 'web' }), 400, 'privacy/plugins')
  })
  it.each<[string, object]>([
    ['web_search_options', { web_search_options: {} }],
    ['web_search_options', { web_search_options: { search_context_size: 'low' } }],
    ['web_search_options', { web_search_options: false }],
    ['code_execution_options', { code_execution_options: {} }],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }, { type: 'web_search' }] }],
    ['tools', { tools: [{ type: 'web_search_preview' }] }],
    ['tools', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['tools', { tools: [{ type: 'mcp', server_url: 'https://tools.example' }] }],
    ['tools', { tools: [{ type: null }] }],
    ['tools', { tools: ['web_search'] }],
    ['tools', { tools: { type: 'web_search' } }],
  ])('a private model with a tool that the enclave would run: %s %j', async (param, members) => {
    const { error } = await refused(await world.post({ ...good, ...members }), 400, 'privacy/plugins')
    expect(error.param).toBe(param)
  })
  it('a private model with such a tool in another dialect', async () => {
    const { error } = await refused(
      await world.post(
        { ...good, input: 'x', messages: undefined, tools: [{ type: 'web_search' }] },
        {},
        '/v1/responses',
      ),
      400,
      'dialect/unsupported',
    )
    expect(error.param).toBe('tools[0].type')
    for (const type of ['web_search_20250305', 'web_search_20260209', 'code_execution_20250825']) {
      const response = await world.post(
        { ...good, max_tokens: 9, tools: [{ type, name: type.replace(/_\d+$/, '') }] },
        {},
        '/v1/messages',
      )
      expect([type, response.status]).toEqual([type, 400])
      expect(chatRequests(world.sandbox)).toEqual([])
    }
  })
  it('a private model on another path, or in the address', async () => {
    await refused(
      await world.post({ model: PRIVATE_MODEL, input: 'x' }, {}, '/v1/embeddings'),
      400,
      'privacy/path',
    )
    await refused(
      await world.post(good, {}, `/v1/chat/completions?model=${PRIVATE_MODEL}`),
      400,
      'privacy/path',
    )
  })
  it('an unknown path', async () => {
    await refused(
      await world.post({ model: PLAINTEXT_MODEL }, {}, '/v1/moderations'),
      404,
      'proxy/path-unknown',
    )
    await refused(await raw({}, 'GET', '/v1'), 404, 'proxy/path-unknown')
    await refused(await raw({}, 'GET', '/v1/'), 404, 'proxy/path-unknown')
  })
  it.each([
    ['/v1/./models'],
    ['/v1//..//models'],
    ['/v1/%2fmodels'],
    ['/v1/models/a%252Fb'],
    ['/v1/models/a%2F%2Fb'],
    ['/v1\\models'],
    ['/v1/models%2f'],
  ])('an ambiguous path: %s', async (path) => {
    await refused(await raw({}, 'GET', path), 400, 'proxy/path-malformed')
  })
  it('a body over 64 MiB', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20)
    await refused(
      await fetch(`${world.baseUrl}/chat/completions`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      }),
      413,
      'proxy/body-too-large',
    )
  })
})

describe('the proxy accepts', () => {
  it.each([
    [{ web_search_options: null, code_execution_options: null, tools: null, plugins: [] }],
    [{ tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }] }],
    [{ tools: [{ function: { name: 'f' } }] }],
    [{ tools: [{ type: 'custom', custom: { name: 'f' } }] }],
  ])('a private model with no tool but those that the caller runs: %j', async (members) => {
    expect((await world.post({ ...good, ...members })).headers.get('x-sotto-privacy')).toBe('sealed')
  })
  it.each([
    [{ 'content-encoding': 'identity' }],
    [{ 'content-encoding': ' ' }],
    [{ 'content-encoding': 'Identity' }],
    [{ 'content-type': 'application/json; charset=utf-8' }],
    [{ 'content-type': 'application/json;charset="UTF-8"' }],
    [{ 'content-type': 'application/json; charset=us-ascii' }],
    [{ 'content-type': 'Application/JSON ; charset=UTF8' }],
  ])('%j', async (headers) => {
    expect((await raw(headers)).status).toBe(200)
  })
})

describe('the proxy refuses, depending on its service and its vault', () => {
  it('a private model in Revision A', async () => {
    await using other = await startWorld({ profile: (profile) => ({ ...profile, revision: 'A' }) })
    const response = await other.post(good)
    expect([response.status, ((await response.json()) as Refusal).error.code]).toEqual([
      400,
      'privacy/revision',
    ])
    expect(chatRequests(other.sandbox)).toEqual([])
  })
  it('a private model if the service has no policy', async () => {
    await using other = await startWorld({ profile: ({ policy: _, ...profile }) => profile })
    const response = await other.post(good)
    expect([response.status, ((await response.json()) as Refusal).error.code]).toEqual([
      400,
      'policy/missing',
    ])
    expect(response.headers.get('x-sotto-privacy')).toBe('refused')
    expect(chatRequests(other.sandbox)).toEqual([])
  })
  it('a request if the service is unreachable', async () => {
    await using other = await startWorld({
      fetch: (fetch) => (url, init) =>
        url.includes('/chat/') || /\/attestation(\?|$)/.test(url)
          ? Promise.reject(new Error('connection refused'))
          : fetch(url, init),
    })
    const open = await other.post({ model: PLAINTEXT_MODEL, messages })
    expect([open.status, ((await open.json()) as Refusal).error.code]).toEqual([502, 'service/unreachable'])
    const sealed = await other.post(good)
    expect([sealed.status, ((await sealed.json()) as Refusal).error.code]).toEqual([
      502,
      'attestation/unreachable',
    ])
  })
  it('a request while the vault is locked', async () => {
    await using other = await startWorld({
      vault: async (folder) => {
        const { unlockVault } = await import('../../../../src/core/core.ts')
        const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
        await vault.set('x', Buffer.from('y'))
        await vault.close()
        return unlockVault({ mode: 'file', folder })
      },
    })
    for (const response of [await other.post(good), await fetch(`${other.baseUrl}/models`)]) {
      expect([response.status, ((await response.json()) as Refusal).error.code]).toEqual([
        503,
        'vault/locked',
      ])
    }
    const health = await fetch(other.baseUrl.replace('/v1', '/health'))
    expect(await health.json()).toEqual({ status: 'ok' })
    await expect(other.call('vault/unlock', { passphrase: 'wrong' })).resolves.toMatchObject({
      code: 'SOTTO',
      data: { code: 'vault/wrong-passphrase' },
    })
    await expect(other.call('vault/unlock', { passphrase: 'correct horse' })).resolves.toMatchObject({
      vault: { state: 'open' },
    })
    const models = await fetch(`${other.baseUrl}/models`, {
      headers: { authorization: `Bearer ${other.core.localKey()}` },
    })
    expect(models.status).toBe(200)
  })
})

describe('health', () => {
  it('returns ok without a key, and more details with one', async () => {
    const health = world.baseUrl.replace('/v1', '/health')
    expect(await (await fetch(health)).json()).toEqual({ status: 'ok' })
    const withKey = await fetch(health, { headers: { 'x-api-key': world.key } })
    expect(await withKey.json()).toMatchObject({ status: 'ok', service: 'sandbox' })
    expect((await fetch(health, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401)
  })
})

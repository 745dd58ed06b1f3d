import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatRequests, PLAINTEXT_MODEL, startWorld, type World } from '../../../world.ts'

const PAGE = 'https://notes.example'
let world: World
let key: string
beforeAll(async () => {
  world = await startWorld({ allow: { hosts: ['box.example', 'other.example:8443'], origins: [PAGE] } })
  key = ((await world.call('localApi/create', { name: 'page', limits: {} })) as { secret: string }).secret
})
afterAll(() => world[Symbol.asyncDispose]())

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** fetch writes Host, Origin and Sec-Fetch-Site itself, so these are sent by hand. */
function send(
  method: string,
  headers: Record<string, string>,
  { path = '/v1/chat/completions', host = '127.0.0.1', body = '' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host,
        port: world.core.proxy.port,
        method,
        path,
        headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
      },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          )
      },
    )
    request.once('error', reject).end(body)
  })
}
const code = ({ body }: Answer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code
const cors = ({ headers }: Answer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const preflight = { origin: PAGE, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' }
const chat = (stream: boolean) =>
  JSON.stringify({ model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'hello' }], stream })

describe('a preflight', () => {
  it('of an allowed page succeeds without a key, and lists the allowed methods and headers', async () => {
    const answer = await send('OPTIONS', {
      ...preflight,
      'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
    })
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      vary: 'Origin',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.headers).not.toHaveProperty('access-control-allow-private-network')
  })

  it('allows private network access if the page asks for it', async () => {
    expect(
      (await send('OPTIONS', { ...preflight, 'access-control-request-private-network': 'true' })).headers,
    ).toMatchObject({ 'access-control-allow-private-network': 'true' })
  })

  it('has the same response whether the path exists or not', async () => {
    const answers = await Promise.all(
      ['/v1/chat/completions', '/v1/keys', '/nothing', '/metrics'].map((path) =>
        send('OPTIONS', preflight, { path }),
      ),
    )
    const comparable = answers.map(
      ({
        status,
        headers: {
          'x-request-id': _requestId,
          'request-id': _its,
          date: _,
          'server-timing': _timing,
          ...headers
        },
        body,
      }) => ({ status, headers, body }),
    )
    expect(new Set(comparable.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it.each([
    ['https://evil.example'],
    ['null'],
    ['http://notes.example'],
    ['https://notes.example:444'],
    ['https://notes.example.evil.example'],
    ['HTTPS://NOTES.EXAMPLE'],
  ])('of %s is refused, without CORS headers', async (origin) => {
    const answer = await send('OPTIONS', { ...preflight, origin })
    expect({ status: answer.status, code: code(answer), cors: cors(answer) }).toEqual({
      status: 403,
      code: 'proxy/origin-forbidden',
      cors: [],
    })
  })

  it('doesn’t repeat a malformed list of header names', async () => {
    expect(
      (await send('OPTIONS', { ...preflight, 'access-control-request-headers': 'a: b' })).headers,
    ).not.toHaveProperty('access-control-allow-headers')
  })
})

describe('a request of an allowed page', () => {
  it.each([[false], [true]])('with its own key gets a readable response (streamed: %s)', async (stream) => {
    const answer = await send(
      'POST',
      {
        origin: PAGE,
        'sec-fetch-site': 'cross-site',
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
      { body: chat(stream) },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' })
    expect(answer.headers['access-control-expose-headers']).toContain('x-sotto-receipt')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('is refused with the key that Sotto created first, or without a key', async () => {
    world.sandbox.clearReceived()
    const answer = await send(
      'POST',
      { origin: PAGE, authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      { body: chat(false) },
    )
    expect({ status: answer.status, code: code(answer) }).toEqual({
      status: 403,
      code: 'auth/key-not-for-pages',
    })
    expect(
      code(await send('POST', { origin: PAGE, 'content-type': 'application/json' }, { body: chat(false) })),
    ).toBe('auth/missing-api-key')
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it('without an Origin, as for an image or a link, is refused', async () => {
    expect(
      code(
        await send(
          'GET',
          { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${key}` },
          { path: '/v1/models' },
        ),
      ),
    ).toBe('proxy/origin-forbidden')
  })

  it('gets an error that the page can read', async () => {
    const answer = await send('GET', { origin: PAGE }, { path: '/v1/models' })
    expect(answer).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': PAGE } })
  })
})

describe('a Host', () => {
  it.each([['box.example'], ['BOX.example:1234'], ['other.example:8443']])(
    'that is allowed gets a response: %s',
    async (host) => {
      expect(
        (await send('GET', { host, authorization: `Bearer ${key}` }, { path: '/v1/models' })).status,
      ).toBe(200)
    },
  )
  it.each([
    ['evil.example'],
    ['other.example'],
    ['other.example:8444'],
    ['box.example.evil.example'],
    ['sub.box.example'],
    ['box.example:x'],
    ['box.example:'],
  ])('that isn’t allowed is refused: %s', async (host) => {
    expect(code(await send('GET', { host, authorization: `Bearer ${key}` }, { path: '/v1/models' }))).toBe(
      'proxy/host-forbidden',
    )
  })
})

describe('the IPv6 loopback', () => {
  it('is accepted as an address and as localhost', async () => {
    for (const host of [
      `[::1]:${String(world.core.proxy.port)}`,
      `localhost:${String(world.core.proxy.port)}`,
    ]) {
      expect(
        (await send('GET', { host, authorization: `Bearer ${key}` }, { path: '/v1/models', host: '::1' }))
          .status,
      ).toBe(200)
    }
    expect(
      code(
        await send(
          'GET',
          { host: '[::2]', authorization: `Bearer ${key}` },
          { path: '/v1/models', host: '::1' },
        ),
      ),
    ).toBe('proxy/host-forbidden')
  })
})

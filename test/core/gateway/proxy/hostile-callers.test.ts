import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RequestTally, startProxy, type ProxyServer } from '../../../../src/core/gateway/proxy/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import { RawCaller, type RawAnswer } from '../../../raw-caller.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

/** Requests that no well-behaved client would send, written to the socket unchanged. */
let world: World
beforeAll(async () => {
  world = await startWorld()
  for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
    expect((await world.post({ model, messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.outbound.length = 0
  world.sandbox.clearReceived()
})

const port = (): number => Number(new URL(world.baseUrl).port)
const host = (): string => `Host: 127.0.0.1:${String(port())}\r\n`
const key = (): string => `Authorization: Bearer ${world.key}\r\n`
const json = 'Content-Type: application/json\r\n'
const CHAT = '/v1/chat/completions'
const good = JSON.stringify({ model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'hello' }] })
const sized = (body: string | Uint8Array): string => `Content-Length: ${String(Buffer.byteLength(body))}\r\n`
const post = (body = good, path = CHAT, more = ''): string =>
  `POST ${path} HTTP/1.1\r\n${host()}${key()}${json}${more}${sized(body)}\r\n${body}`

/** The answers to these bytes, once `count` answers arrived or the connection ended. */
async function answersTo(bytes: (string | Uint8Array)[], count = 1): Promise<RawAnswer[]> {
  const caller = await RawCaller.to(port())
  for (const each of bytes) caller.write(each)
  await expect.poll(() => caller.closed || caller.answers().length >= count, { interval: 5 }).toBe(true)
  caller.destroy()
  return caller.answers()
}
const statusOf = async (...bytes: (string | Uint8Array)[]): Promise<number> =>
  (await answersTo(bytes))[0]?.status ?? 0
const codeOf = ({ body }: RawAnswer): unknown =>
  (JSON.parse(body.toString()) as { error: { code?: string } }).error.code
const nothingLeft = (): void => expect(Buffer.concat(world.outbound).toString()).toBe('')
/** Asserts that the next caller is served, regardless of the bytes before. */
const stillServes = async (): Promise<void> => expect(await statusOf(post())).toBe(200)

describe('request headers', () => {
  it('over 16 kB or 2,000 fields get status 431, or lose the excess', async () => {
    expect(
      await statusOf(`POST ${CHAT} HTTP/1.1\r\n${host()}X-Flood: ${'a'.repeat(64 * 1024)}\r\n\r\n`),
    ).toBe(431)
    expect(await statusOf(`POST ${CHAT} HTTP/1.1\r\n${host()}${'X: y\r\n'.repeat(5_000)}\r\n`)).toBe(431)
    expect(await statusOf(`GET /${'a'.repeat(64 * 1024)} HTTP/1.1\r\n${host()}\r\n`)).toBe(431)
    nothingLeft()
    await stillServes()
  })

  it('without a Host, with two, with a foreign one, or with one in the target are refused', async () => {
    const rest = `${key()}${json}${sized(good)}\r\n${good}`
    expect(await statusOf(`POST ${CHAT} HTTP/1.1\r\n${rest}`)).toBe(400)
    expect(await statusOf(`POST ${CHAT} HTTP/1.0\r\n${rest}`)).toBe(403)
    for (const hosts of [
      `${host()}Host: evil.example\r\n`,
      `Host: evil.example\r\n${host()}`,
      host() + host(),
      'Host: evil.example\r\n',
      'Host:\r\n',
      `${host().trimEnd()}, evil.example\r\n`,
      `Host: 127.0.0.1:${String(port())}@evil.example\r\n`,
    ]) {
      expect([hosts, await statusOf(`POST ${CHAT} HTTP/1.1\r\n${hosts}${rest}`)]).toEqual([hosts, 403])
    }
    for (const target of [
      `http://evil.example${CHAT}`,
      `http://127.0.0.1:${String(port())}${CHAT}`,
      `//evil.example${CHAT}`,
      'http://evil.example/health',
    ]) {
      const status = await statusOf(`POST ${target} HTTP/1.1\r\n${host()}${rest}`)
      expect([target, [400, 403].includes(status)]).toEqual([target, true])
    }
    nothingLeft()
  })

  it.each([
    ['a length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
    ['two lengths', `Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a length that is a list', `Content-Length: 5, 5\r\n\r\nhello`],
    ['a length with a sign', `Content-Length: +5\r\n\r\nhello`],
    ['a negative length', `Content-Length: -1\r\n\r\n`],
    ['a length beyond numbers', `Content-Length: 99999999999999999999\r\n\r\n`],
    ['an encoding that only looks like chunked', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunked, twice', `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked under another coding', `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`],
    ['a field that goes on in the next line', `X-A: b\r\n Content-Length: 5\r\n\r\nhello`],
    ['a field name with a space', `Content-Length : 5\r\n\r\nhello`],
    ['a lone line feed', `X-A: b\nX-C: d\r\n\r\n`],
    ['a NUL in a value', `X-A: a\u0000b\r\n\r\n`],
  ])('with %s are refused, and the rest of the connection isn’t read as a request', async (_what, rest) => {
    const smuggled = post(
      '{"model":"sandbox/allegro-mini","messages":[{"role":"user","content":"smuggled-otter"}]}',
    )
    const answers = await answersTo([`POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}${rest}${smuggled}`])
    expect(answers.length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect(status).toBe(400)
    expect(Buffer.concat(world.outbound).includes('smuggled-otter')).toBe(false)
    await stillServes()
  })

  it('that ask to continue, to upgrade or for another protocol have no further effect', async () => {
    const continued = await RawCaller.to(port())
    continued.write(
      `POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}Expect: 100-continue\r\n${sized(good)}\r\n`,
    )
    await expect.poll(() => continued.received.toString()).toMatch(/^HTTP\/1.1 100 Continue/)
    continued.write(good)
    await expect.poll(() => continued.answers()[0]?.status).toBe(200)
    continued.destroy()
    expect(
      await statusOf(
        `POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}Expect: an-otter\r\n${sized(good)}\r\n${good}`,
      ),
    ).toBe(417)
    expect(
      await statusOf(
        `GET ${CHAT} HTTP/1.1\r\n${host()}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      ),
    ).toBe(404)
    expect(
      await statusOf(
        `POST ${CHAT} HTTP/1.1\r\n${host()}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n${json}${sized(good)}\r\n${good}`,
      ),
    ).toBe(401)
    expect(await answersTo(['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])).toMatchObject([{ status: 400 }])
    expect(await answersTo([`CONNECT evil.example:443 HTTP/1.1\r\n${host()}\r\n`])).toEqual([])
  })

  it('with an unknown version or protocol are refused', async () => {
    for (const first of [
      `POST ${CHAT}\r\n`,
      `POST ${CHAT} HTTP/9.9\r\n`,
      'otter\r\n',
      '\u0016\u0003\u0001\u0002\u0000',
      `POST  ${CHAT} HTTP/1.1\r\n`,
      `post ${CHAT} HTTP/1.1\r\n`,
    ]) {
      const answers = await answersTo([`${first}${host()}\r\n`])
      // A lenient reader takes it for a request without a key.
      for (const { status } of answers) expect([first, [400, 401].includes(status)]).toEqual([first, true])
    }
    nothingLeft()
  })
})

describe('paths and methods', () => {
  it.each([
    ['/v1/chat/completions;x=1'],
    ['/v1/chat;/completions'],
    ['/V1/Chat/Completions'],
    ['/v1/chat/completions%00'],
    ['/v1/chat/completions%20'],
    ['/v1/chat%2fcompletions'],
    ['/v1/./chat/completions'],
    ['/v1/x/../chat/completions'],
    ['/v1/%2e%2e/v1/chat/completions'],
    ['/v1/chat/%63ompletions/..'],
    ['/../v1/chat/completions'],
    ['/v1\\chat\\completions'],
    ['/v1/chat/completions\\'],
    ['/private/v1/chat/completions'],
    ['/v1/private/chat/completions'],
    ['/health/../v1/chat/completions'],
    ['/v1/chat/completions/private'],
  ])('%s is no chat path', async (path) => {
    const [answer] = await answersTo([post(undefined, path)])
    expect([path, [400, 404].includes(answer!.status)]).toEqual([path, true])
    nothingLeft()
  })

  it.each([
    ['/v1//chat/completions'],
    ['//v1/chat/completions'],
    ['/v1/chat//completions'],
    ['/v1/chat/completions/'],
    ['/v1/v1/chat/completions'],
    ['/chat/completions//'],
  ])('%s is the chat path, with the same checks', async (path) => {
    expect(await statusOf(post(undefined, path))).toBe(200)
    const [privately] = await answersTo([
      post(`{"model":"${PRIVATE_MODEL}","messages":[],"plugins":[{"id":"web"}]}`, path),
    ])
    expect([privately!.status, codeOf(privately!)]).toEqual([400, 'privacy/plugins'])
    const [keyless] = await answersTo([
      `POST ${path} HTTP/1.1\r\n${host()}${json}Content-Length: 2\r\n\r\n{}`,
    ])
    expect([keyless!.status, codeOf(keyless!)]).toEqual([401, 'auth/missing-api-key'])
  })

  it('a path that is no valid text is refused', async () => {
    for (const path of ['/v1/%ff%fe', '/v1/models/%c0%af', '/%', '/v1/models/%zz'])
      expect([
        path,
        [400, 404].includes(await statusOf(`GET ${path} HTTP/1.1\r\n${host()}${key()}\r\n`)),
      ]).toEqual([path, true])
    nothingLeft()
  })

  it('no spelling of /health reaches another path without a key', async () => {
    for (const path of [
      '/health/../v1/models',
      '/health/v1/models',
      '/health?/v1/models',
      '/%68ealth/../v1/models',
      '/health;/v1/models',
      '/Health',
      '/health/',
      '/v1/health/models',
    ]) {
      const [answer] = await answersTo([`GET ${path} HTTP/1.1\r\n${host()}\r\n`])
      expect([path, answer!.status, answer!.body.includes('private/')]).toEqual([
        path,
        /^\/health(?:\?|\/$)/.test(path) ? 200 : path.includes('/../') ? 400 : 404,
        false,
      ])
      if (answer!.status === 200) expect(JSON.parse(answer!.body.toString())).toEqual({ status: 'ok' })
    }
  })

  it.each([
    ['GET'],
    ['HEAD'],
    ['PUT'],
    ['PATCH'],
    ['DELETE'],
    ['OPTIONS'],
    ['TRACE'],
    ['QUERY'],
    ['PROPFIND'],
    ['SEARCH'],
    ['LINK'],
  ])('method %s sends nothing to a model', async (method) => {
    for (const more of ['', 'X-HTTP-Method-Override: POST\r\n']) {
      const caller = await RawCaller.to(port())
      caller.write(`${method} ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}${more}${sized(good)}\r\n${good}`)
      await expect.poll(() => caller.closed || /^HTTP\/1\.1 \d+/.test(caller.received.toString())).toBe(true)
      expect(caller.received.toString()).not.toMatch(/^HTTP\/1\.1 2/)
      caller.destroy()
    }
    nothingLeft()
  })
})

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const paths = Array.from({ length: 200 }, (_, index) =>
      index % 3 === 0 ? '/health' : `/v1/nothing-${String(index)}`,
    )
    const answers = await answersTo(
      [paths.map((path) => `GET ${path} HTTP/1.1\r\n${host()}${key()}\r\n`).join('')],
      paths.length,
    )
    expect(answers).toHaveLength(paths.length)
    for (const [index, { status, body }] of answers.entries()) {
      expect(status).toBe(index % 3 === 0 ? 200 : 404)
      if (status === 404) expect(body.toString()).toContain(`/v1/nothing-${String(index)}.`)
    }
  })

  it('are authenticated separately', async () => {
    const without = `POST ${CHAT} HTTP/1.1\r\n${host()}${json}${sized(good)}\r\n${good}`
    expect((await answersTo([post() + without + post()], 3)).map(({ status }) => status)).toEqual([
      200, 401, 200,
    ])
  })
})

describe('bodies', () => {
  it('over 64 MiB without a length are cut off', async () => {
    const caller = await RawCaller.to(port())
    caller.write(`POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}Transfer-Encoding: chunked\r\n\r\n`)
    const piece = Buffer.alloc(1024 * 1024, 0x20)
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    let sent = 0
    while (sent < 200 && caller.answers().length === 0 && !caller.closed) {
      sent += 1
      if (caller.socket.write(chunk)) continue
      const other = new AbortController()
      const either = ['drain', 'close'].map((event) => once(caller.socket, event, { signal: other.signal }))
      await Promise.race(either).catch(() => undefined)
      other.abort()
    }
    await expect.poll(() => caller.closed || caller.answers().length > 0).toBe(true)
    for (const answer of caller.answers())
      expect([answer.status, codeOf(answer)]).toEqual([413, 'proxy/body-too-large'])
    expect(sent).toBeLessThan(200)
    caller.destroy()
    nothingLeft()
  })

  it('that announce more than 64 MiB are refused before they arrive', async () => {
    const [answer] = await answersTo([
      `POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}Content-Length: ${String(64 * 1024 * 1024 + 1)}\r\n\r\n`,
    ])
    expect([answer!.status, codeOf(answer!)]).toEqual([413, 'proxy/body-too-large'])
  })

  it.each<[string, string | Uint8Array]>([
    [
      'that are no UTF-8',
      Buffer.from(
        '{"model":"sandbox/allegro-mini","messages":[{"role":"user","content":"\xff\xfe"}]}',
        'latin1',
      ),
    ],
    [
      'with an overlong slash',
      Buffer.from('{"model":"private\xc0\xafsandbox-lento-8b","messages":[]}', 'latin1'),
    ],
    ['in UTF-16', Buffer.from(good, 'utf16le')],
    ['with two byte order marks', `\uFEFF\uFEFF${good}`],
    ['nested ten million deep', `{"model":"${PLAINTEXT_MODEL}","messages":${'['.repeat(10_000_000)}`],
    [
      'nested a thousand deep and closed',
      `{"model":"${PLAINTEXT_MODEL}","messages":${'['.repeat(1000)}${']'.repeat(1000)}}`,
    ],
    [
      'with two million empty lists',
      `{"model":"${PLAINTEXT_MODEL}","messages":[${'[],'.repeat(2_000_000)}[]]}`,
    ],
    ['with comments', `{/* ${PRIVATE_MODEL} */"model":"${PLAINTEXT_MODEL}","messages":[]}`],
    ['with a comma too many', `{"model":"${PLAINTEXT_MODEL}","messages":[],}`],
    ['in single quotes', `{'model':'${PLAINTEXT_MODEL}','messages':[]}`],
    ['with two values', `${good}${good}`],
    [
      'with a raw control character in a string',
      `{"model":"${PLAINTEXT_MODEL}","messages":[{"role":"user","content":"a\u0000b"}]}`,
    ],
    ['with numbers that are none', `{"model":"${PLAINTEXT_MODEL}","messages":[],"seed":NaN}`],
  ])('%s are refused', async (_what, body) => {
    const [answer] = await answersTo([
      `POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}${sized(body)}\r\n`,
      body,
    ])
    expect([answer!.status, codeOf(answer!)]).toEqual([400, 'proxy/malformed-json'])
    nothingLeft()
  })

  it('with truncated gzip content are refused', async () => {
    const [answer] = await answersTo([
      `POST ${CHAT} HTTP/1.1\r\n${host()}${key()}${json}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n`,
      Buffer.from([0x1f, 0x8b, 8, 0]),
    ])
    expect([answer!.status, codeOf(answer!), answer!.headers['accept-encoding']]).toEqual([
      415,
      'proxy/content-encoding',
      'gzip, deflate, br, zstd',
    ])
    nothingLeft()
  })

  it('with unpaired surrogates are forwarded unchanged', async () => {
    const body = `{"model":"${PLAINTEXT_MODEL}","messages":[{"role":"user","content":"\\ud800 otter \\udc00"}]}`
    expect(await statusOf(post(body))).toBe(200)
    expect(Buffer.concat(world.outbound).toString()).toContain('\\ud800 otter \\udc00')
  })
})

describe('slow callers', () => {
  const timeouts = {
    headersTimeout: 150,
    requestTimeout: 300,
    keepAliveTimeout: 150,
    connectionsCheckingInterval: 20,
  }
  let proxy: ProxyServer
  beforeAll(async () => {
    const backend = (): never => {
      throw new SottoError('vault/locked')
    }
    proxy = await startProxy({
      backend,
      service: 'sandbox',
      version: 'test',
      tally: new RequestTally(),
      now: Date.now,
      port: 0,
      mayMove: false,
      timeouts,
    })
  })
  afterAll(() => proxy.close())

  // A request that is refused before its body is complete may get its refusal first.
  it.each([
    ['says nothing', '', [[408]]],
    ['never ends its head', `POST ${CHAT} HTTP/1.1\r\nHost: 127.0.0.1\r\n`, [[408]]],
    [
      'never ends its body',
      `POST /health HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a"`,
      [[404, 408], [408]],
    ],
    ['asks nothing more', `GET /health HTTP/1.1\r\nHost: HOST\r\n\r\n`, [[200]]],
  ])('a caller that %s loses its connection', async (_what, bytes, answers) => {
    const caller = await RawCaller.to(proxy.port)
    caller.write(bytes.replace('HOST', `127.0.0.1:${String(proxy.port)}`))
    await expect.poll(() => caller.closed).toBe(true)
    expect(answers).toContainEqual(caller.answers().map(({ status }) => status))
  })

  it('a slow caller on IPv6 does too, if IPv6 is available', async () => {
    const socket = createConnection({ host: '::1', port: proxy.port })
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      new Promise((resolve) => socket.once('error', () => resolve('none'))),
    ])
    if (outcome === 'none') return
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.write(`POST ${CHAT} HTTP/1.1\r\n`)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('have a minute for the headers and five for the body by default', async () => {
    const { TIMEOUTS } = await import('../../../../src/core/gateway/proxy/listen.ts')
    expect(TIMEOUTS).toEqual({
      headersTimeout: 60_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 72_000,
      connectionsCheckingInterval: 30_000,
    })
  })
})

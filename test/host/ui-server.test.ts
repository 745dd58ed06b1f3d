import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WindowSessions } from '../../src/core/core.ts'
import { createUiServer, type UiServer } from '../../src/host/ui-server.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { RawCaller } from '../raw-caller.ts'

let uiServer: UiServer
const served: string[] = []
let now = 0
const bodies = new BodyBudget({ bytes: 64 * 1024 * 1024 })
const windows = new WindowSessions(() => now)
/** What the next procedure answers. */
let answer: () => Response = () => Response.json({ ok: true })
let lastSignal: AbortSignal | undefined
const note = (request: Request): Promise<Response> => {
  served.push(new URL(request.url).pathname)
  lastSignal = request.signal
  return Promise.resolve(answer())
}
beforeAll(async () => {
  uiServer = await createUiServer({ api: note, files: note, bodies, windows }, 0)
})
afterAll(() => uiServer[Symbol.asyncDispose]())

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

function ask(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: string,
): Promise<Answer> {
  const { hostname, port } = new URL(uiServer.newAddress())
  return new Promise((answered, failed) => {
    const request = httpRequest({ host: hostname, port, method, path, headers }, (response) => {
      let text = ''
      response.on('error', failed)
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () =>
          answered({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
    })
    request.on('error', failed)
    request.end(body)
  })
}

const json = { 'content-type': 'application/json' }

async function token(): Promise<string> {
  const code = new URL(uiServer.newAddress()).hash.slice('#code='.length)
  const { status, body } = await ask('POST', '/session', json, JSON.stringify({ code }))
  expect(status).toBe(200)
  return (JSON.parse(body) as { token: string }).token
}

describe('the window’s server', () => {
  it('exchanges the code in its address, once, for a token for the API', async () => {
    const bearer = await token()
    expect(
      await ask('POST', '/api/app/status', { ...json, authorization: `Bearer ${bearer}` }, '{}'),
    ).toMatchObject({ status: 200, body: '{"ok":true}' })
  })
  it('serves the API only with a token', async () => {
    const before = served.length
    for (const authorization of [undefined, 'Bearer x', 'Bearer ']) {
      expect(
        (
          await ask(
            'POST',
            '/api/app/status',
            { ...json, ...(authorization !== undefined && { authorization }) },
            '{}',
          )
        ).status,
      ).toBe(401)
    }
    expect(
      (await ask('POST', '/api/app/status', { ...json, cookie: `token=${await token()}` }, '{}')).status,
    ).toBe(401)
    expect(served.length).toBe(before)
  })
  it('serves media and uploads at their own paths, without a token, and with no other method', async () => {
    const before = served.length
    expect((await ask('GET', '/media/x')).status).toBe(200)
    expect((await ask('HEAD', '/media/x')).status).toBe(200)
    expect((await ask('PUT', '/upload/x', {}, 'bytes')).status).toBe(200)
    expect(served.slice(before)).toEqual(['/media/x', '/media/x', '/upload/x'])
    for (const [method, path] of [
      ['POST', '/media/x'],
      ['PUT', '/media/x'],
      ['POST', '/upload/x'],
      ['PUT', '/x'],
    ] as const)
      expect((await ask(method, path, {}, 'x')).status).toBe(404)
    expect((await ask('GET', '/media/x', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask('PUT', '/upload/x', { 'sec-fetch-site': 'cross-site' }, 'x')).status).toBe(403)
    expect(served.length).toBe(before + 3)
  })
  it.each([
    ['another Host (DNS rebinding)', { host: 'evil.example' }],
    ['another Origin', { origin: 'https://evil.example' }],
    ['the Origin null', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ])('refuses %s on every route, even for static files and with a valid token', async (_name, headers) => {
    const bearer = await token()
    const before = served.length
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/index.html'],
      ['GET', '/assets/x.js'],
      ['POST', '/session'],
      ['POST', '/api/app/status'],
      ['OPTIONS', '/api/app/status'],
    ] as const) {
      const { status, headers: answered } = await ask(
        method,
        path,
        { ...json, authorization: `Bearer ${bearer}`, ...headers },
        method === 'POST' ? '{}' : undefined,
      )
      expect([path, status]).toEqual([path, 403])
      expect(Object.keys(answered).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(served.length).toBe(before)
  })
  it('lets another site open the page in a tab, but not in a frame', async () => {
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await ask('GET', '/', { ...navigation, 'sec-fetch-dest': 'iframe' })).status).toBe(403)
    expect((await ask('GET', '/assets/x.js', { ...navigation, 'sec-fetch-dest': 'document' })).status).toBe(
      403,
    )
    expect((await ask('GET', '/', { ...navigation, 'sec-fetch-dest': 'document' })).status).not.toBe(403)
  })
  it('returns 404 for unknown paths', async () => {
    for (const path of ['/none', '/.git/config', '/sotto.db'])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
    expect((await ask('PUT', '/')).status).toBe(404)
  })
  it('refuses an ambiguous path before any other check', async () => {
    const before = served.length
    for (const path of [
      '/upload/../api/localApi/get',
      '/upload/%2e%2e/api/localApi/get',
      '/media/%2E./api/app/status',
      '/media/..%2fapi/app/status',
      '/upload//x',
      '/upload/x/',
      '/upload/\\..\\api/x',
      '/api/../media/x',
      '/%zz',
      '/../package.json',
      '/assets/../../package.json',
      '/%2e%2e/package.json',
    ]) {
      for (const method of ['GET', 'PUT', 'POST', 'HEAD'])
        expect([method, path, (await ask(method, path, { host: 'evil.example' })).status]).toEqual([
          method,
          path,
          400,
        ])
    }
    expect(served.length).toBe(before)
  })
  it('refuses a request with two Host headers, and one whose target names a host', async () => {
    const ownHost = new URL(uiServer.newAddress()).host
    for (const head of [
      `GET / HTTP/1.1\r\nHost: ${ownHost}\r\nHost: ${ownHost}`,
      `GET / HTTP/1.1\r\nHost: ${ownHost}\r\nhost: evil.example`,
      `GET http://${ownHost}/ HTTP/1.1\r\nHost: ${ownHost}`,
    ]) {
      const caller = await RawCaller.to(Number(new URL(uiServer.newAddress()).port))
      caller.write(`${head}\r\nConnection: close\r\n\r\n`)
      await expect.poll(() => caller.answers()[0]?.status).toBe(403)
      caller.destroy()
    }
  })
  it('refuses a body that is too large, or that exceeds the limit of all bodies together', async () => {
    const authorized = { ...json, authorization: `Bearer ${await token()}` }
    const before = served.length
    const caller = await RawCaller.to(Number(new URL(uiServer.newAddress()).port))
    caller.write(
      `POST /api/app/status HTTP/1.1\r\nHost: ${new URL(uiServer.newAddress()).host}\r\nAuthorization: ${authorized.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${String(27 * 1024 * 1024)}\r\n\r\n`,
    )
    await expect.poll(() => caller.answers()[0]?.status).toBe(413)
    caller.destroy()
    using heldBody = bodies.begin(undefined, 64 * 1024 * 1024)
    heldBody.add(64 * 1024 * 1024)
    const busy = await ask('POST', '/api/app/status', authorized, '{}')
    expect([busy.status, Number(busy.headers['retry-after']) > 0]).toEqual([503, true])
    expect(served.length).toBe(before)
    heldBody[Symbol.dispose]()
    expect((await ask('POST', '/api/app/status', authorized, '{}')).status).toBe(200)
    expect(bodies.heldBytes).toBe(0)
  })
  it('ends the streams and the token of a window that signs out', async () => {
    const bearer = await token()
    const id = windows.find(`Bearer ${bearer}`) ?? ''
    answer = () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }))
    const receiving = ask('POST', '/api/privacy/watch', { ...json, authorization: `Bearer ${bearer}` }, '{}')
    const ended = expect(receiving).rejects.toThrow()
    await expect.poll(() => served.at(-1)).toBe('/api/privacy/watch')
    expect(windows.signOut(id)).toBe(true)
    await ended
    await expect.poll(() => lastSignal?.aborted).toBe(true)
    answer = () => Response.json({ ok: true })
    expect(
      (await ask('POST', '/api/app/status', { ...json, authorization: `Bearer ${bearer}` }, '{}')).status,
    ).toBe(401)
  })
  it('forgets a window that wasn’t used for 30 days', async () => {
    const bearer = await token()
    const status = async (): Promise<number> =>
      (await ask('POST', '/api/app/status', { ...json, authorization: `Bearer ${bearer}` }, '{}')).status
    now += 29 * 24 * 3_600_000
    expect(await status()).toBe(200)
    now += 30 * 24 * 3_600_000
    expect(await status()).toBe(401)
  })
  it.each([
    ['text/plain', '{"code":"x"}', 415],
    ['application/json', '{"code":"x"}', 401],
    ['application/json', '{', 401],
    ['application/json', `{"code":"${'x'.repeat(300)}"}`, 401],
  ])('creates no session for %s %s', async (type, body, status) => {
    expect((await ask('POST', '/session', { 'content-type': type }, body)).status).toBe(status)
  })
  it.skipIf(!existsSync(resolve(import.meta.dirname, '../../out/renderer/index.html')))(
    'serves the page with a policy that permits no other server',
    async () => {
      const { status, headers } = await ask('GET', '/')
      expect(status).toBe(200)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['cache-control']).toBe('no-store')
    },
  )
})

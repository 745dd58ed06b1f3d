import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../src/shared/contract/sotto-contract.ts'
import { METHODS, PROXY_PREFIXES, targetsBelow, UI_PREFIXES } from './attack-table.ts'
import { CONVERSATION_TITLE, startTwoServers, type TwoServers } from './two-servers.ts'
import type { RawClient, RawRequest } from './raw-client.ts'

type Headers = RawRequest['headers']

let servers: TwoServers
let now = Date.now()
/** Headers that an attacker may have: none, a guess, one that has ended, and one that is for the other server. */
let uiCredentials: Record<string, Headers>
let proxyCredentials: Record<string, Headers>
beforeAll(async () => {
  servers = await startTwoServers(() => now)
  const { world, windows } = servers
  const expired = windows.exchange(windows.newCode()) ?? ''
  now += 31 * 24 * 3_600_000
  const revoked = (await world.call('localApi/create', { name: 'Revoked', limits: {} })) as {
    key: { id: string }
    secret: string
  }
  await world.call('localApi/revoke', { keyId: revoked.key.id })
  const bearer = (secret: string): Headers => [['authorization', `Bearer ${secret}`]]
  uiCredentials = {
    none: [],
    wrong: bearer('x'.repeat(43)),
    expired: bearer(expired),
    'of the proxy': bearer(world.key),
  }
  proxyCredentials = {
    none: [],
    wrong: bearer('sk-sotto-wrong'),
    revoked: bearer(revoked.secret),
    'of a window': bearer(windows.exchange(windows.newCode()) ?? ''),
  }
})
afterAll(() => servers[Symbol.asyncDispose]())

/** Every request that got more than a refusal, a static asset or the health answer. */
async function leaks(
  client: RawClient,
  host: string,
  requests: readonly Omit<RawRequest, 'headers'>[],
  headers: Headers,
): Promise<string[]> {
  const found: string[] = []
  for (const request of requests) {
    const why = servers.leak(
      await client.ask({
        ...request,
        headers: [['host', host], ['content-type', 'application/json'], ...headers],
      }),
      request.method,
    )
    if (why !== null) found.push(`${request.method} ${request.target}: ${why}`)
  }
  return found
}

const withMethods = (targets: readonly string[]) =>
  targets.flatMap((target) =>
    METHODS.map((method) => ({ method, target, body: method === 'GET' || method === 'HEAD' ? '' : '{}' })),
  )

it('the table would notice an answer of a procedure', async () => {
  const before = servers.procedures()
  const token: Headers = [
    ['host', servers.uiHost],
    ['content-type', 'application/json'],
    ['authorization', `Bearer ${servers.windows.exchange(servers.windows.newCode()) ?? ''}`],
  ]
  const list = await servers.ui.ask({
    method: 'POST',
    target: '/api/conversations/list',
    headers: token,
    body: '{}',
  })
  expect(list.body.toString()).toContain(CONVERSATION_TITLE)
  expect(servers.leak(list, 'POST')).not.toBeNull()
  const key = await servers.ui.ask({
    method: 'POST',
    target: '/api/localApi/get',
    headers: token,
    body: '{}',
  })
  expect(servers.leak(key, 'POST')).not.toBeNull()
  expect(servers.procedures()).toBe(before + 2)
  const models = await servers.proxy.ask({
    method: 'GET',
    target: '/v1/models',
    headers: [
      ['host', servers.proxyHost],
      ['authorization', `Bearer ${servers.world.key}`],
    ],
  })
  expect(servers.leak(models, 'GET')).not.toBeNull()
})

describe('without a valid credential, nothing but a refusal, an asset or the health answer', () => {
  it.each(['none', 'wrong', 'expired', 'of the proxy'])('on the window’s server: %s', async (credential) => {
    const before = servers.procedures()
    expect(
      await leaks(
        servers.ui,
        servers.uiHost,
        withMethods(targetsBelow(UI_PREFIXES)),
        uiCredentials[credential] ?? [],
      ),
    ).toEqual([])
    expect(servers.procedures()).toBe(before)
  })

  it.each(['none', 'wrong', 'expired', 'of the proxy'])(
    'on the window’s server, as a page of its own that asks for a WebSocket: %s',
    async (credential) => {
      const before = servers.procedures()
      const headers: Headers = [
        ['origin', `http://${servers.uiHost}`],
        ['connection', 'Upgrade'],
        ['upgrade', 'websocket'],
        ['sec-websocket-version', '13'],
        ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
        ...(uiCredentials[credential] ?? []),
      ]
      // The one address that opens a WebSocket has tests of its own (test/host/window-streams.test.ts).
      const requests = targetsBelow(UI_PREFIXES)
        .filter((target) => !/^\/streams(?:\?|$)/.test(target))
        .map((target) => ({ method: 'GET', target }))
      expect(await leaks(servers.ui, servers.uiHost, requests, headers)).toEqual([])
      expect(servers.procedures()).toBe(before)
    },
  )

  it.each(['none', 'wrong', 'revoked', 'of a window'])('on the proxy: %s', async (credential) => {
    const before = servers.world.sandbox.received().length
    expect(
      await leaks(
        servers.proxy,
        servers.proxyHost,
        withMethods(targetsBelow(PROXY_PREFIXES)),
        proxyCredentials[credential] ?? [],
      ),
    ).toEqual([])
    expect(servers.world.sandbox.received().length).toBe(before)
  })

  it('every procedure of the contract, by every method and content type', async () => {
    const before = servers.procedures()
    const paths = Object.entries(contract).flatMap(([area, calls]) =>
      proceduresOf(calls).map((name) => `/api/${area}/${name}`),
    )
    expect(paths.length).toBeGreaterThan(100)
    expect(await leaks(servers.ui, servers.uiHost, withMethods(paths), [])).toEqual([])
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
    ]) {
      for (const target of paths) {
        const answer = await servers.ui.ask({
          method: 'POST',
          target,
          headers: [
            ['host', servers.uiHost],
            ['content-type', type],
          ],
          body: '{}',
        })
        expect([target, type, answer.status]).toEqual([target, type, 401])
      }
    }
    expect(servers.procedures()).toBe(before)
  })

  it('headers by which a front end tells another path, method, host or address', async () => {
    const before = servers.procedures()
    const tricks: Headers[] = [
      [['x-original-url', '/api/localApi/get']],
      [['x-rewrite-url', '/api/localApi/get']],
      [['x-http-method-override', 'POST']],
      [['x-forwarded-for', '127.0.0.1']],
      [['x-forwarded-host', servers.uiHost]],
      [['forwarded', `host=${servers.uiHost}`]],
      [['cookie', 'token=x; session=x']],
      [['x-csrf-token', 'orpc']],
      [
        ['connection', 'upgrade'],
        ['upgrade', 'websocket'],
        ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
        ['sec-websocket-version', '13'],
      ],
      [['authorization', 'Basic Og==']],
      [['authorization', 'Bearer undefined']],
      [['authorization', 'Bearer null']],
      [['authorization', `Bearer ${servers.world.key}`]],
      [['sec-fetch-site', 'same-origin']],
      [['origin', `http://${servers.uiHost}`]],
    ]
    for (const trick of tricks) {
      for (const method of ['GET', 'POST', 'PUT']) {
        for (const target of ['/', '/api/localApi/get', '/upload/x', '/media/x']) {
          expect(await leaks(servers.ui, servers.uiHost, [{ method, target, body: '{}' }], trick)).toEqual([])
        }
      }
    }
    expect(servers.procedures()).toBe(before)
  })

  it('a host that is not this address (DNS rebinding), even with a right credential', async () => {
    const right: Headers = [
      ['authorization', `Bearer ${servers.windows.exchange(servers.windows.newCode()) ?? ''}`],
      ['content-type', 'application/json'],
    ]
    const key: Headers = [
      ['authorization', `Bearer ${servers.world.key}`],
      ['content-type', 'application/json'],
    ]
    const before = servers.procedures()
    const [uiPort, proxyPort] = [servers.uiHost, servers.proxyHost].map((host) => host.split(':')[1] ?? '')
    for (const name of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '127.0.0.1@evil.example',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      '127.1',
      '2130706433',
      'localhost.',
      '',
    ]) {
      const ui = await servers.ui.ask({
        method: 'POST',
        target: '/api/app/status',
        headers: [['host', `${name}:${uiPort ?? ''}`], ...right],
        body: '{}',
      })
      expect([name, ui.status]).toEqual([name, 403])
      const proxy = await servers.proxy.ask({
        method: 'GET',
        target: '/v1/models',
        headers: [['host', `${name}:${proxyPort ?? ''}`], ...key],
      })
      expect([name, proxy.status]).toEqual([name, 403])
    }
    for (const [client, host, path] of [
      [servers.ui, servers.uiHost, '/api/app/status'],
      [servers.proxy, servers.proxyHost, '/v1/models'],
    ] as const) {
      const credential = client === servers.ui ? right : key
      for (const twice of [
        [
          ['host', host],
          ['host', 'evil.example'],
        ],
        [
          ['host', 'evil.example'],
          ['host', host],
        ],
        [
          ['host', host],
          ['Host', host],
        ],
      ] as const) {
        expect(
          (await client.ask({ method: 'POST', target: path, headers: [...twice, ...credential], body: '{}' }))
            .status,
        ).toBe(403)
      }
      expect(
        (
          await client.ask({
            method: 'POST',
            target: `http://${host}${path}`,
            headers: [['host', host], ...credential],
            body: '{}',
          })
        ).status,
      ).toBe(403)
    }
    expect(servers.procedures()).toBe(before)
  })
})

describe('with a right credential, an identifier is no path', () => {
  const ids = [
    '../../vault.json',
    '..',
    '/etc/passwd',
    '..%2f..%2fvault.json',
    '\u0000',
    'C:\\Windows\\win.ini',
    '__proto__',
    'constructor',
  ]
  it.each([
    ['conversations/get', 'conversationId'],
    ['attachments/get', 'attachmentId'],
    ['studio/get', 'jobId'],
    ['studio/link', 'jobId'],
    ['purchases/answer', 'purchaseId'],
    ['receipts/get', 'receiptId'],
  ])('%s', async (path, name) => {
    for (const id of ids) {
      const answer = JSON.stringify((await servers.world.call(path, { [name]: id, index: 0 })) ?? null)
      expect(answer).not.toMatch(/root:|"kind":"file"|BEGIN /)
      expect(answer === 'null' || /"code":"[\w/-]+"/.test(answer)).toBe(true)
    }
  })

  it('on the proxy, and below files', async () => {
    const key: Headers = [
      ['host', servers.proxyHost],
      ['authorization', `Bearer ${servers.world.key}`],
    ]
    for (const target of [
      '/v1/models/..%2fkeys',
      '/v1/models/%2e%2e/keys',
      '/v1/videos/../keys',
      '/v1/videos/..%2fx',
      '/v1/data/../chat/completions',
      '/v1/data//../x',
      '/v1//models/..%2Fkeys',
      '/v1/v1/models/%2e%2e/keys',
    ]) {
      const answer = await servers.proxy.ask({ method: 'GET', target, headers: key })
      expect([
        target,
        answer.status,
        (JSON.parse(answer.body.toString()) as { error: { code: string } }).error.code,
      ]).toEqual([target, 400, 'proxy/path-malformed'])
    }
    for (const target of ['/media/..', '/media/%2e%2e', '/media/..%2f..%2fvault.json'])
      expect(
        (await servers.ui.ask({ method: 'GET', target, headers: [['host', servers.uiHost]] })).status,
      ).toBe(400)
    for (const target of ['/media/vault.json', `/media/${'A'.repeat(43)}`, '/media/constructor'])
      expect(
        (await servers.ui.ask({ method: 'GET', target, headers: [['host', servers.uiHost]] })).status,
      ).toBe(404)
  })
})

it('a malformed path is refused by the proxy in the shape that its callers read', async () => {
  const { status, head, body } = await servers.proxy.ask({
    method: 'GET',
    target: '/v1/%zz',
    headers: [['host', servers.proxyHost]],
  })
  expect(status).toBe(400)
  expect(JSON.parse(body.toString())).toMatchObject({
    error: { code: 'proxy/path-malformed', type: 'invalid_request_error', param: null },
  })
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  expect(head.toLowerCase()).toContain('x-sotto-service: sandbox')
})

it('official clients write the slash of a model’s id as %2F', async () => {
  const { status, body } = await servers.proxy.ask({
    method: 'GET',
    target: '/v1/models/private%2Fsandbox-lento-8b',
    headers: [
      ['host', servers.proxyHost],
      ['authorization', `Bearer ${servers.world.key}`],
    ],
  })
  expect([status, (JSON.parse(body.toString()) as { id: string }).id]).toEqual([
    200,
    'private/sandbox-lento-8b',
  ])
})

function proceduresOf(calls: object): string[] {
  return Object.entries(calls).flatMap(([name, call]: [string, unknown]) => {
    if (typeof call !== 'object' || call === null) return []
    return '~orpc' in call ? [name] : proceduresOf(call).map((below) => `${name}/${below}`)
  })
}

import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { KeyLimitsText } from '../../../../src/shared/key-limits.ts'
import { chatRequests, PLAINTEXT_MODEL, startWorld, type World } from '../../../world.ts'

const EVERY_KEY = 'https://listed.example'
const NOTES = 'app://obsidian.md'
const EXTENSION = 'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh'
let world: World
let notes: CreatedKey
let plain: CreatedKey
interface CreatedKey {
  secret: string
  key: { id: string }
}
const create = (name: string, limits: KeyLimitsText): Promise<CreatedKey> =>
  world.call('localApi/create', { name, limits }) as Promise<CreatedKey>
beforeAll(async () => {
  world = await startWorld({ allow: { hosts: [], origins: [EVERY_KEY] } })
  notes = await create('notes', { origins: [NOTES] })
  plain = await create('plain', {})
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** fetch writes Host, Origin and Sec-Fetch-Site itself, so these are sent by hand. */
function send(
  method: string,
  headers: Record<string, string>,
  path = '/v1/chat/completions',
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
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
const outcome = ({ status, body }: Answer): unknown => [
  status,
  status < 400 ? null : (JSON.parse(body) as { error: { code: string } }).error.code,
]
const chat = (origin: string, secret: string): Promise<Answer> =>
  send(
    'POST',
    {
      origin,
      'sec-fetch-site': 'cross-site',
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
    },
    '/v1/chat/completions',
    JSON.stringify({ model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'hello' }] }),
  )
const SDK_HEADERS =
  'authorization, x-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, content-type, x-stainless-arch, x-stainless-lang, x-stainless-os, x-stainless-package-version, x-stainless-retry-count, x-stainless-runtime, x-stainless-runtime-version, x-stainless-timeout'
const preflight = (origin: string): Promise<Answer> =>
  send('OPTIONS', {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': SDK_HEADERS,
  })

describe('a preflight', () => {
  it.each([[NOTES], [EVERY_KEY]])('of %s is accepted, with every header that SDKs send', async (origin) => {
    const answer = await preflight(origin)
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': SDK_HEADERS,
      vary: 'Origin',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each([
    [EXTENSION],
    ['app://obsidian.md.evil'],
    ['app://obsidian'],
    ['APP://obsidian.md'],
    ['app://obsidian.md/'],
    ['app://'],
    ['null'],
    ['*'],
    ['https://obsidian.md'],
  ])('of %s, which no key allows, is refused without CORS headers', async (origin) => {
    const answer = await preflight(origin)
    expect(outcome(answer)).toEqual([403, 'proxy/origin-forbidden'])
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('is refused for the origin of a key that is revoked or expired', async () => {
    const [revoked, expired] = [
      await create('revoked', { origins: ['app://revoked'] }),
      await create('expired', { origins: ['app://expired'], expiresAt: Date.now() + 3_600_000 }),
    ]
    expect(
      await Promise.all(
        ['app://revoked', 'app://expired'].map(async (origin) => (await preflight(origin)).status),
      ),
    ).toEqual([204, 204])
    await world.call('localApi/revoke', { keyId: revoked.key.id })
    expect(outcome(await preflight('app://revoked'))).toEqual([403, 'proxy/origin-forbidden'])
    expect(outcome(await chat('app://expired', expired.secret))).toEqual([200, null])
    world.clock.ahead = 3_600_000
    expect(outcome(await preflight('app://expired'))).toEqual([403, 'proxy/origin-forbidden'])
    world.clock.ahead = 0
  })
})

describe('a request from a web page', () => {
  it('with a key that allows its origin gets a response that the page can read', async () => {
    const answer = await chat(NOTES, notes.secret)
    expect(outcome(answer)).toEqual([200, null])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': NOTES,
      vary: 'Origin',
      'x-sotto-model': PLAINTEXT_MODEL,
    })
  })

  it('with another key is refused, although some key allows the origin', async () => {
    const answer = await chat(NOTES, plain.secret)
    expect(outcome(answer)).toEqual([403, 'proxy/origin-forbidden'])
    // The page gets the reason, and the command that changes it.
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': NOTES })
    expect(answer.body).toContain(`sotto keys edit NAME --origin ${NOTES}`)
    expect(outcome(await chat(NOTES, world.key))).toEqual([403, 'auth/key-not-for-pages'])
    expect(outcome(await chat(EVERY_KEY, plain.secret))).toEqual([200, null])
    expect(outcome(await chat(EXTENSION, notes.secret))).toEqual([403, 'proxy/origin-forbidden'])
    expect(chatRequests(world.sandbox)).toHaveLength(1)
  })

  it('needs that key for every path, even for /health, which programs read without a key', async () => {
    expect(outcome(await send('GET', { origin: NOTES }, '/health'))).toEqual([401, 'auth/missing-api-key'])
    expect(
      outcome(await send('GET', { origin: NOTES, authorization: `Bearer ${plain.secret}` }, '/health')),
    ).toEqual([403, 'proxy/origin-forbidden'])
    expect(
      outcome(await send('GET', { origin: NOTES, authorization: `Bearer ${notes.secret}` }, '/health')),
    ).toEqual([200, null])
    expect(outcome(await send('GET', {}, '/health'))).toEqual([200, null])
  })

  it.each([
    ['app://a"b', ''],
    ['https://x.example/$(id)', ''],
    [`app://${'a'.repeat(400)}`, ''],
    [EXTENSION, EXTENSION],
  ])('that is refused gets its origin in the message only if it’s a plain one: %s', async (origin, named) => {
    const { body } = await chat(origin, notes.secret)
    expect(body.includes('--origin')).toBe(named !== '')
    expect(body.includes(origin)).toBe(named !== '')
  })
})

describe('the first key', () => {
  it('can’t allow origins', async () => {
    const [first] = (await world.call('localApi/keys')) as { id: string }[]
    expect(
      await world.call('localApi/update', { keyId: first?.id, limits: { origins: [NOTES] } }),
    ).toMatchObject({ data: { code: 'local-key/first-origins' } })
  })
})

it('a request with a foreign Host gets the flag that allows it, with the name only if it’s plain', async () => {
  const fetchRefusal = async (host: string): Promise<string> =>
    (await send('GET', { host }, '/v1/models')).body
  expect(await fetchRefusal('host.docker.internal:8480')).toContain('--allow-host host.docker.internal')
  expect(await fetchRefusal('evil"name')).not.toContain('evil')
})

it('a page can read every header of Sotto', async () => {
  const { headers } = await chat(NOTES, notes.secret)
  const exposed = headers['access-control-expose-headers']?.split(', ')
  const folder = new URL('../../../../src/core/gateway/proxy/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')))
  const ownHeaders = new Set(
    sources.flatMap((source) => [...source.matchAll(/'(x-sotto-[a-z-]+)'/g)].map(([, name]) => name)),
  )
  expect(ownHeaders.size).toBeGreaterThan(3)
  expect(exposed).toEqual(expect.arrayContaining([...ownHeaders]))
})

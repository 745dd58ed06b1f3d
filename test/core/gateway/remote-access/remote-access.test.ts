import { networkInterfaces } from 'node:os'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemoteAccess } from '../../../../src/core/gateway/remote-access/index.ts'
import { makeCertificate } from '../../../../src/core/gateway/remote-access/make-certificate.ts'
import type { RemoteAccess, RemoteAddress } from '../../../../src/shared/remote-access.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import type { Status } from '../../../../src/shared/status.ts'
import { startWorld, type World, type WorldOptions } from '../../../world.ts'

/** An address of this machine that is not loopback's: a second loopback address where it has no other. */
const HOST =
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'
const DAY = 24 * 3_600_000

interface Reached extends AsyncDisposable {
  readonly world: World
  readonly opened: RemoteAccess
  readonly asked: string[]
}
async function reached(tls: RemoteAddress['tls'], options: WorldOptions = {}): Promise<Reached> {
  const asked: string[] = []
  let tell: (opened: RemoteAccess) => void
  const started = new Promise<RemoteAccess>((resolve) => (tell = resolve))
  const world = await startWorld({
    remoteAddress: { host: HOST, port: 0, tls },
    onRemoteAccess: (opened) => tell(opened),
    confirm: (question) => asked.push(question) > 0,
    ...options,
  })
  return { world, opened: await started, asked, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

interface Answer {
  status: number
  body: string
  fingerprint: string | undefined
}
function ask(baseUrl: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port, path, headers, agent: false, rejectUnauthorized: false }
    const request = protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
    request
      .once('response', (response) => {
        const { socket } = response
        const fingerprint =
          'getPeerCertificate' in socket
            ? (socket as TLSSocket).getPeerCertificate().fingerprint256
            : undefined
        let body = ''
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (body += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body, fingerprint }))
      })
      .once('error', reject)
      .end()
  })
}
const code = ({ body }: Answer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code
const notices = async (world: World) =>
  ((await world.call('app/status')) as Status).notices.map(({ id, lasting }) => ({ id, lasting }))

describe('an address beyond loopback', () => {
  let remote: Reached
  beforeAll(async () => {
    remote = await reached('own', { allow: { hosts: ['box.example'], origins: [] } })
  })
  afterAll(() => remote[Symbol.asyncDispose]())

  it('needs a confirmation outside the window that names it', () => {
    expect(remote.asked).toEqual([
      `Allow programs on other computers to reach Sotto at ${HOST}, port 0, with Sotto’s own certificate? Each still needs a local key.`,
    ])
  })
  it('is in the status, with its certificate', async () => {
    expect(((await remote.world.call('app/status')) as Status).proxy).toEqual({
      baseUrl: remote.world.baseUrl,
      serving: true,
      reach: remote.opened,
    })
  })
  it('serves only TLS, with the certificate of the reported fingerprint', async () => {
    const { fingerprint, status } = await ask(remote.opened.baseUrl, '/v1/models', {
      authorization: `Bearer ${remote.world.key}`,
    })
    expect({ fingerprint, status }).toEqual({ fingerprint: remote.opened.fingerprint, status: 200 })
    await expect(ask(remote.opened.baseUrl.replace('https:', 'http:'), '/v1/models')).rejects.toThrow()
  })
  it.each(['/health', '/v1/models', '/nothing'])('refuses a request without a key: %s', async (path) => {
    expect(code(await ask(remote.opened.baseUrl, path))).toBe('auth/missing-api-key')
  })
  it.each(['/livez', '/readyz'])('returns only its state without a key: %s', async (path) => {
    const { status, body } = await ask(remote.opened.baseUrl, path)
    expect([status, body]).toEqual([200, '{"status":"ok"}'])
    expect(code(await ask(remote.opened.baseUrl, path, { host: 'evil.example' }))).toBe(
      'proxy/host-forbidden',
    )
  })
  it('accepts its own name and the listed ones, but not those of loopback', async () => {
    const { port } = new URL(remote.opened.baseUrl)
    const authorization = `Bearer ${remote.world.key}`
    for (const host of ['box.example', `${HOST}:${port}`])
      expect((await ask(remote.opened.baseUrl, '/v1/models', { host, authorization })).status).toBe(200)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, 'evil.example'])
      expect(code(await ask(remote.opened.baseUrl, '/v1/models', { host, authorization }))).toBe(
        'proxy/host-forbidden',
      )
  })
  it('doesn’t change the loopback address', async () => {
    expect((await fetch(`${remote.world.baseUrl.replace('/v1', '')}/health`)).status).toBe(200)
  })
  it('has a notice while it’s open', async () => {
    expect(await notices(remote.world)).toContainEqual({ id: 'reach-open', lasting: true })
  })
  it('closes when Sotto ends', async () => {
    const other = await reached('own')
    await other.world[Symbol.asyncDispose]()
    await expect(ask(other.opened.baseUrl, '/health')).rejects.toThrow()
  })
})

describe('an address beyond loopback stays closed', () => {
  it('if it isn’t confirmed', async () => {
    await using world = await startWorld({
      remoteAddress: { host: HOST, port: 0, tls: 'own' },
      confirm: () => false,
    })
    await expect.poll(() => notices(world)).toContainEqual({ id: 'reach-failed', lasting: false })
    expect(
      renderEnglish(
        ((await world.call('app/status')) as Status).notices.find(({ id }) => id === 'reach-failed')!.says,
      ),
    ).toContain('Access to Sotto from other devices wasn’t confirmed')
  })
  it('if the key doesn’t match the certificate', async () => {
    const life = { notBefore: Date.now() - DAY, notAfter: Date.now() + DAY }
    const [{ certificate }, { key }] = [await makeCertificate([], life), await makeCertificate([], life)]
    const asked: string[] = []
    await using world = await startWorld({
      remoteAddress: { host: HOST, port: 0, tls: { certificate, key } },
      confirm: (question) => asked.push(question) > 0,
    })
    await expect.poll(() => notices(world)).toContainEqual({ id: 'reach-failed', lasting: false })
    expect(asked).toEqual([])
  })
  it('if this machine doesn’t have the address', async () => {
    await using world = await startWorld({ remoteAddress: { host: '192.0.2.1', port: 0, tls: 'own' } })
    await expect.poll(() => notices(world)).toContainEqual({ id: 'reach-failed', lasting: false })
  })
})

it('a given certificate is served, and the confirmation names its fingerprint', async () => {
  const certificate = await makeCertificate([{ name: HOST, address: true }], {
    notBefore: Date.now() - DAY,
    notAfter: Date.now() + DAY,
  })
  await using remote = await reached(certificate)
  expect((await ask(remote.opened.baseUrl, '/v1/models')).fingerprint).toBe(remote.opened.fingerprint)
  expect(remote.asked[0]).toContain(remote.opened.fingerprint)
})

it('plaintext in the container needs a key too, and has a notice while it’s open', async () => {
  await using remote = await reached('none-in-container')
  expect(remote.opened).toMatchObject({
    fingerprint: null,
    baseUrl: expect.stringMatching(/^http:/) as unknown,
  })
  expect(code(await ask(remote.opened.baseUrl, '/v1/models'))).toBe('auth/missing-api-key')
  expect(
    (await ask(remote.opened.baseUrl, '/v1/models', { authorization: `Bearer ${remote.world.key}` })).status,
  ).toBe(200)
  expect(await notices(remote.world)).toContainEqual({ id: 'reach-plaintext', lasting: true })
})

it('a confirmed address isn’t confirmed again, but any other one is', async () => {
  const settings = new Map<string, string>()
  const secrets = new Map<string, Uint8Array>()
  const asked: string[] = []
  const open = (remoteAddress: RemoteAddress): Promise<RemoteAccess> =>
    startRemoteAccess({
      remoteAddress,
      hosts: [],
      place: {
        get: (name) => Promise.resolve(secrets.has(name) ? Uint8Array.from(secrets.get(name)!) : null),
        set: (name, value) => Promise.resolve(void secrets.set(name, Uint8Array.from(value))),
      },
      settings: {
        get: (name) => settings.get(name) ?? null,
        set: (name, value) => void settings.set(name, value),
      },
      confirm: {
        ask: ({ says }) => Promise.resolve(asked.push(renderEnglish(says)) > 0),
      },
      now: Date.now,
      open: () => Promise.resolve({ baseUrl: 'https://x' }),
    })
  for (const _ of [1, 2]) await open({ host: HOST, port: 8443, tls: 'own' })
  expect(asked).toHaveLength(1)
  await open({ host: HOST, port: 8444, tls: 'own' })
  await open({ host: '0.0.0.0', port: 8443, tls: 'own' })
  expect(asked).toHaveLength(3)
})

import { createHash, X509Certificate } from 'node:crypto'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OtherTlsKeyError } from '../../src/shared/fetch.ts'
import { createOutboundFetch, type OutboundFetch } from '../../src/host/outbound-fetch.ts'
import { outboundRoutes } from '../../src/host/outbound-proxy.ts'
import { PRIVATE_MODEL, startWorld } from '../world.ts'
import { startSocksServer } from './socks-server.ts'
import { tlsFor } from './tls-name.ts'
import { WebSocketServer } from 'ws'

const NAME = 'service.sotto-proxied.example'

/** What the name is served by: the proxy of the test leads every tunnel here, and TLS decides whether it is the right end. */
let target: {
  port: number
  heard: string[]
  answer: (url: string, body: AsyncIterable<Buffer>) => Promise<string>
}
let targetServer: ReturnType<typeof createHttpsServer>
let proxy: {
  port: number
  asked: { authority: string; authorization: string | undefined }[]
  refuseWith: number | null
}
let proxyServer: Server
const sockets = new Set<Socket>()
let network: OutboundFetch | undefined

const tlsIdentity = tlsFor(NAME)
beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('bundled'), tlsIdentity.cert])
  targetServer = createHttpsServer(tlsIdentity, (request, response) => {
    target.heard.push(
      `${String(request.method)} ${String(request.url)} ${String(request.headers['proxy-authorization'])}`,
    )
    void target.answer(String(request.url), request).then((text) => response.end(text))
  })
  proxyServer = createHttpServer((_request, response) => response.writeHead(500).end('a tunnel was expected'))
  proxyServer.on('connect', (request, socket: Socket, head: Buffer) => {
    proxy.asked.push({
      authority: String(request.url),
      authorization: request.headers['proxy-authorization'],
    })
    if (proxy.refuseWith !== null) return socket.end(`HTTP/1.1 ${String(proxy.refuseWith)} No\r\n\r\n`)
    const onward = connect(target.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => undefined)
    }
    return undefined
  })
  await Promise.all(
    [targetServer, proxyServer].map(
      (server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)),
    ),
  )
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  targetServer.close()
  proxyServer.close()
})
beforeEach(() => {
  target = {
    port: (targetServer.address() as AddressInfo).port,
    heard: [],
    answer: () => Promise.resolve('proxied'),
  }
  proxy = { port: (proxyServer.address() as AddressInfo).port, asked: [], refuseWith: null }
})
afterEach(() => network?.close())

const address = (): string => `http://127.0.0.1:${String(proxy.port)}`
const get = { method: 'GET', headers: {}, redirect: 'manual' } as const
async function text(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('with HTTPS_PROXY', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('requests go through a tunnel that %s names', async (variable) => {
    network = createOutboundFetch({ [variable]: address() })
    const response = await network.fetch(`https://${NAME}/a?b=c`, get)
    expect([response.status, await text(response.body)]).toEqual([200, 'proxied'])
    expect(proxy.asked).toEqual([{ authority: `${NAME}:443`, authorization: undefined }])
    expect(target.heard).toEqual(['GET /a?b=c undefined'])
  })

  it('its name and password are for the proxy, and reach nobody else', async () => {
    network = createOutboundFetch({ HTTPS_PROXY: address().replace('//', '//user:pass@') })
    await text((await network.fetch(`https://${NAME}/`, get)).body)
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
    expect(target.heard).toEqual(['GET / undefined'])
  })

  it('a required TLS key is that of the host behind the tunnel', () =>
    requireKeys({ HTTPS_PROXY: address() }))

  it('an upload is sent through it as it comes', async () => {
    target.answer = async (_url, body) =>
      String((await Array.fromAsync(body)).reduce((sum, chunk) => sum + chunk.length, 0))
    network = createOutboundFetch({ HTTPS_PROXY: address() })
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 64; n++) yield await Promise.resolve(Buffer.alloc(65_536, 'x'))
    }
    const response = await network.fetch(`https://${NAME}/`, {
      method: 'POST',
      headers: { 'content-length': String(64 * 65_536) },
      body: pieces(),
      redirect: 'manual',
    })
    expect(await text(response.body)).toBe(String(64 * 65_536))
  })

  it('a wallet’s relay is reached through it as well', async () => {
    const relay = new WebSocketServer({ server: targetServer })
    relay.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => socket.send(`heard ${data.toString()}`)),
    )
    network = createOutboundFetch({ HTTPS_PROXY: address() })
    const socket = network.dial?.(`wss://${NAME}/`)
    const heard = new Promise<unknown>((resolve) => {
      socket?.addEventListener('open', () => socket.send('a question'))
      socket?.addEventListener('message', ({ data }) => resolve(data))
      socket?.addEventListener('error', () => resolve('failed'))
    })
    expect(await heard).toBe('heard a question')
    expect(proxy.asked).toEqual([{ authority: `${NAME}:443`, authorization: undefined }])
    proxy.refuseWith = 407
    const refused = network.dial?.(`wss://${NAME}/`)
    await new Promise<void>((resolve) => refused?.addEventListener('error', resolve))
    expect(relay.clients.size).toBe(1)
    socket?.close()
    relay.close()
  })

  it('a proxy that refuses is a failure, and nothing goes around it', async () => {
    proxy.refuseWith = 407
    network = createOutboundFetch({ HTTPS_PROXY: address() })
    await expect(network.fetch(`https://${NAME}/`, get)).rejects.toThrow()
    expect(target.heard).toEqual([])
  })

  it.each([NAME, 'sotto-proxied.example', '.sotto-proxied.example', `other.example,${NAME}:443`, '*'])(
    'NO_PROXY=%s goes straight',
    async (noProxy) => {
      network = createOutboundFetch({ HTTPS_PROXY: address(), NO_PROXY: noProxy })
      // The name exists nowhere: to be straight is to fail to resolve.
      await expect(network.fetch(`https://${NAME}/`, get)).rejects.toThrow()
      expect(proxy.asked).toEqual([])
    },
  )

  it.each(['other.example', `${NAME}:8443`, 'proxied.example'])(
    'NO_PROXY=%s does not cover it',
    async (noProxy) => {
      network = createOutboundFetch({ HTTPS_PROXY: address(), NO_PROXY: noProxy })
      expect(await text((await network.fetch(`https://${NAME}/`, get)).body)).toBe('proxied')
    },
  )

  it('loopback is never proxied', async () => {
    const plain = createHttpServer((_request, response) => response.end('straight'))
    await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening))
    network = createOutboundFetch({
      HTTPS_PROXY: address(),
      HTTP_PROXY: address(),
      ALL_PROXY: 'socks5://127.0.0.1:1',
    })
    const response = await network.fetch(
      `http://127.0.0.1:${String((plain.address() as AddressInfo).port)}/`,
      get,
    )
    expect(await text(response.body)).toBe('straight')
    expect(proxy.asked).toEqual([])
    plain.closeAllConnections()
    plain.close()
    const routes = outboundRoutes({ HTTPS_PROXY: address() }, {})
    const straight = routes.to(new URL('http://127.0.0.1/'))
    for (const url of [
      'https://localhost/',
      'https://x.localhost/',
      'https://[::1]:8/',
      'https://127.9.9.9/',
    ])
      expect(routes.to(new URL(url))).toBe(straight)
    expect(routes.to(new URL('https://localhost.example/'))).not.toBe(straight)
    await routes.close()
  })

  it.each(['http://', 'http://[', 'ftp://proxy.example', 'socks4://proxy.example', 'socks5://', ':::'])(
    'what is no address (%s) refuses to start',
    (value) => {
      for (const name of ['HTTPS_PROXY', 'ALL_PROXY'])
        expect(() => createOutboundFetch({ [name]: value })).toThrow(
          expect.objectContaining({ code: 'host/proxy-address' }),
        )
    },
  )

  it('evidence and sealed requests go through it', async () => {
    await chatThrough({ HTTPS_PROXY: address() })
    expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(new Set([`${NAME}:443`]))
  })
})

/** A tunnel ends at the host, so the host's key can be compared. */
async function requireKeys(environment: Record<string, string>): Promise<void> {
  network = createOutboundFetch(environment)
  const tlsKey = createHash('sha256')
    .update(new X509Certificate(tlsIdentity.cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
  await expect(network.fetch(`https://${NAME}/`, { ...get, tlsKey: '00'.repeat(32) })).rejects.toBeInstanceOf(
    OtherTlsKeyError,
  )
  expect(target.heard).toEqual([])
  expect(await text((await network.fetch(`https://${NAME}/`, { ...get, tlsKey })).body)).toBe('proxied')
}

/** A private chat with a service, and the enclave's own server, that only the proxy can find. */
async function chatThrough(environment: Record<string, string>): Promise<void> {
  let origin = ''
  const others = targetServer.rawListeners('request') as RequestListener[]
  await using _restored = {
    [Symbol.asyncDispose]: async () => {
      targetServer.removeAllListeners('request')
      for (const listener of others) targetServer.on('request', listener)
      await network?.close()
    },
  }
  await using world = await startWorld({
    profile: (profile) => {
      origin = profile.baseUrl
      const there = `https://${NAME}`
      const { policy } = profile
      if (!policy?.nonceBound) throw new Error('the sandbox has rules for fresh evidence')
      return {
        ...profile,
        baseUrl: there,
        policy: { ...policy, nonceBound: { ...policy.nonceBound, origin: there } },
      }
    },
    // The tunnel ends in TLS, and what comes out of it is the sandbox.
    fetch: () => {
      targetServer.removeAllListeners('request')
      targetServer.on('request', (request, response) => {
        target.heard.push(`${String(request.method)} ${String(request.url).replace(/\?.*/, '')}`)
        const chunks: Buffer[] = []
        request
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            void fetch(origin + String(request.url), {
              method: String(request.method),
              headers: Object.entries(request.headers).filter(
                (entry): entry is [string, string] =>
                  typeof entry[1] === 'string' &&
                  !['host', 'connection', 'content-length'].includes(entry[0]),
              ),
              ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
            }).then(async (answer) => {
              const {
                'content-length': _,
                'transfer-encoding': __,
                connection: ___,
                ...headers
              } = Object.fromEntries(answer.headers)
              response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
            })
          })
      })
      network = createOutboundFetch(environment)
      return network.fetch
    },
  })
  await world.call('privacy/setFreshEvidence', { from: 'direct' })
  const answer = await world.post({
    model: PRIVATE_MODEL,
    messages: [{ role: 'user', content: 'by the tunnel' }],
  })
  expect([answer.status, answer.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
  await answer.text()
  expect(target.heard).toEqual(
    expect.arrayContaining([
      'GET /private/attestation',
      'GET /.well-known/tinfoil-attestation',
      'POST /private/v1/chat/completions',
    ]),
  )
}

describe('with a SOCKS proxy', () => {
  it.each(['socks5', 'socks5h', 'socks'])(
    '%s in ALL_PROXY looks up the name, and TLS ends at the host',
    async (scheme) => {
      await using socks = await startSocksServer(() => target.port)
      network = createOutboundFetch({ ALL_PROXY: `${scheme}://127.0.0.1:${String(socks.port)}` })
      expect(network.proxy).toBe(`127.0.0.1:${String(socks.port)}`)
      expect(await text((await network.fetch(`https://${NAME}/a`, get)).body)).toBe('proxied')
      expect(socks.asked).toEqual([{ host: NAME, port: 443, byName: true }])
      await expect(network.fetch('https://other.sotto-proxied.example/', get)).rejects.toThrow()
    },
  )

  it('a required TLS key is that of the host behind the proxy', async () => {
    await using socks = await startSocksServer(() => target.port)
    await requireKeys({ ALL_PROXY: `socks5://127.0.0.1:${String(socks.port)}` })
  })

  it('HTTPS_PROXY counts before ALL_PROXY, and NO_PROXY goes straight', async () => {
    await using socks = await startSocksServer(() => target.port)
    const ALL_PROXY = `socks5://127.0.0.1:${String(socks.port)}`
    network = createOutboundFetch({ ALL_PROXY, HTTPS_PROXY: address() })
    expect(await text((await network.fetch(`https://${NAME}/`, get)).body)).toBe('proxied')
    await network.close()
    network = createOutboundFetch({ ALL_PROXY, NO_PROXY: NAME })
    await expect(network.fetch(`https://${NAME}/`, get)).rejects.toThrow()
    expect(socks.asked).toEqual([])
  })

  it('its name and password are for the proxy', async () => {
    await using socks = await startSocksServer(() => target.port, { password: true })
    network = createOutboundFetch({ ALL_PROXY: `socks5://user:pass@127.0.0.1:${String(socks.port)}` })
    await text((await network.fetch(`https://${NAME}/`, get)).body)
    expect(socks.credentials).toEqual([{ user: 'user', password: 'pass' }])
    expect(target.heard).toEqual(['GET / undefined'])
  })

  it('a proxy that refuses is a failure, and nothing goes around it', async () => {
    await using socks = await startSocksServer(() => target.port, { reply: 2 })
    network = createOutboundFetch({ ALL_PROXY: `socks5://127.0.0.1:${String(socks.port)}` })
    await expect(network.fetch(`https://${NAME}/`, get)).rejects.toThrow()
    expect(target.heard).toEqual([])
  })

  it('evidence, the enclave’s own document and sealed requests go through it', async () => {
    await using socks = await startSocksServer(() => target.port)
    await chatThrough({ ALL_PROXY: `socks5h://127.0.0.1:${String(socks.port)}` })
    expect(
      new Set(socks.asked.map(({ host, port, byName }) => `${host} ${String(port)} ${String(byName)}`)),
    ).toEqual(new Set([`${NAME} 443 true`]))
  })
})

describe('without it', () => {
  it.each([{}, { HTTPS_PROXY: '' }, { HTTP_PROXY: 'http://proxy.example' }])(
    'all goes straight: %o',
    async (environment) => {
      const routes = outboundRoutes(environment, {})
      expect(routes.to(new URL('https://service.example/'))).toBe(routes.to(new URL('http://127.0.0.1/')))
      await routes.close()
    },
  )
})

import { createHash, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutboundFetch, type OutboundFetch } from '../../src/host/outbound-fetch.ts'
import { OtherTlsKeyError, UnsentError } from '../../src/shared/fetch.ts'
import { tlsFor } from './tls-name.ts'

const [first, second] = [tlsFor('localhost'), tlsFor('localhost', 'second')]
const elsewhere = tlsFor('elsewhere.example')
const fingerprintOf = ({ cert }: { cert: string }): string =>
  createHash('sha256')
    .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** The fingerprint of the key of each request's connection. */
let heard: (string | undefined)[] = []
let network: OutboundFetch
const server = createServer(first, (request, response) => {
  const certificate = request.socket instanceof TLSSocket ? request.socket.getX509Certificate() : undefined
  heard.push(certificate && fingerprintOf({ cert: certificate.toString() }))
  if (request.url === '/slow') response.write('first ')
  else response.end('ok')
  slow = () => response.end('last')
})
let slow: () => void = () => undefined
let base: string
beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('bundled'), first.cert, second.cert, elsewhere.cert])
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `https://localhost:${String((server.address() as AddressInfo).port)}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  server.setSecureContext(first)
  heard = []
  network = createOutboundFetch({})
})
afterEach(() => network.close())

async function post(tlsKey?: string, path = '/sealed'): Promise<string> {
  const response = await network.fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer none' },
    body: 'sealed',
    redirect: 'manual',
    ...(tlsKey !== undefined && { tlsKey }),
  })
  return Buffer.concat(await Array.fromAsync(response.body ?? [])).toString()
}

describe('a request for an attested TLS key', () => {
  it('is sent over a connection with this key', async () => {
    expect([await post(fingerprintOf(first)), await post(fingerprintOf(first))]).toEqual(['ok', 'ok'])
    expect(heard).toEqual([fingerprintOf(first), fingerprintOf(first)])
  })

  it.each([
    ['another key with a trusted certificate for the same name', fingerprintOf(second)],
    ['nothing', ''],
    ['a part of the fingerprint', fingerprintOf(first).slice(0, 62)],
    ['more than the fingerprint', `${fingerprintOf(first)}00`],
  ])('isn’t sent if the key must be %s', async (_, tlsKey) => {
    await expect(post(tlsKey)).rejects.toBeInstanceOf(OtherTlsKeyError)
    expect(heard).toEqual([])
  })

  it('isn’t sent over an open connection of a request without a required key, or with another one', async () => {
    await post()
    await expect(post(fingerprintOf(second))).rejects.toBeInstanceOf(OtherTlsKeyError)
    await post(fingerprintOf(first))
    server.setSecureContext(second)
    expect(await post(fingerprintOf(second))).toBe('ok')
    expect(heard).toEqual([first, first, second].map(fingerprintOf))
    // The server has this key no more, and the connection that had it isn't used again.
    await expect(post(fingerprintOf(first))).rejects.toBeInstanceOf(OtherTlsKeyError)
  })

  it('is checked in each new connection: no session is resumed', async () => {
    expect(await post(fingerprintOf(first))).toBe('ok')
    server.closeAllConnections()
    server.setSecureContext({ ...second, ticketKeys: server.getTicketKeys() })
    await expect(post(fingerprintOf(first))).rejects.toBeInstanceOf(OtherTlsKeyError)
    expect(heard).toHaveLength(1)
  })

  it('isn’t sent without TLS', async () => {
    await expect(
      network.fetch('http://127.0.0.1:1/', {
        method: 'POST',
        headers: {},
        body: 'sealed',
        redirect: 'manual',
        tlsKey: fingerprintOf(first),
      }),
    ).rejects.toBeInstanceOf(OtherTlsKeyError)
  })

  it('isn’t sent to another name with this key', async () => {
    server.setSecureContext(elsewhere)
    const refused = post(fingerprintOf(elsewhere))
    await expect(refused).rejects.toBeInstanceOf(UnsentError)
    await expect(refused).rejects.not.toBeInstanceOf(OtherTlsKeyError)
    expect(heard).toEqual([])
  })

  it('doesn’t end a reply that comes over a connection of the key before', async () => {
    const reply = await network.fetch(`${base}/slow`, {
      method: 'GET',
      headers: {},
      redirect: 'manual',
      tlsKey: fingerprintOf(first),
    })
    const finish = slow
    server.setSecureContext(second)
    expect(await post(fingerprintOf(second))).toBe('ok')
    finish()
    expect(Buffer.concat(await Array.fromAsync(reply.body ?? [])).toString()).toBe('first last')
  })
})

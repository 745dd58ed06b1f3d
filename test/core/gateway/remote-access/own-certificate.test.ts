import { X509Certificate } from 'node:crypto'
import { createServer, get } from 'node:https'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../../src/core/gateway/remote-access/make-certificate.ts'
import { fingerprintOf, ownCertificate } from '../../../../src/core/gateway/remote-access/own-certificate.ts'

const DAY = 24 * 3_600_000
function place() {
  const stored = new Map<string, Uint8Array>()
  return {
    get: (name: string) => Promise.resolve(stored.has(name) ? Uint8Array.from(stored.get(name)!) : null),
    set: (name: string, value: Uint8Array) => Promise.resolve(void stored.set(name, Uint8Array.from(value))),
  }
}

describe('the self-signed certificate', () => {
  it('is valid only for the given names and addresses, and only for a server', async () => {
    const created = await ownCertificate(place(), ['box.example', '192.168.1.5', 'fd00::1:2'], Date.now())
    const certificate = new X509Certificate(created.certificate)
    expect(certificate.subjectAltName).toBe(
      'DNS:box.example, IP Address:192.168.1.5, IP Address:FD00:0:0:0:0:0:1:2',
    )
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(fingerprintOf(created)).toBe(certificate.fingerprint256)
  })

  it('is saved, and replaced for other names or shortly before it expires', async () => {
    const store = place()
    const now = Date.now()
    const first = await ownCertificate(store, ['box.example'], now)
    expect(await ownCertificate(store, ['box.example'], now + 300 * DAY)).toMatchObject(first)
    const renewed = await ownCertificate(store, ['box.example'], now + 340 * DAY)
    expect(renewed.certificate).not.toBe(first.certificate)
    expect((await ownCertificate(store, ['other.example'], now + 340 * DAY)).certificate).not.toBe(
      renewed.certificate,
    )
  })

  it('is replaced if the saved one can’t be read', async () => {
    const store = place()
    await store.set('tls-certificate', Buffer.from('{'))
    expect((await ownCertificate(store, ['box.example'], Date.now())).certificate).toMatch(
      /^-----BEGIN CERTIFICATE-----/,
    )
  })

  it('is accepted only by a TLS client that trusts it', async () => {
    const { certificate, key } = await makeCertificate([{ name: '127.0.0.1', address: true }], {
      notBefore: Date.now() - DAY,
      notAfter: Date.now() + DAY,
    })
    const server = createServer({ cert: certificate, key }, (_request, response) =>
      response.end('hello'),
    ).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const ask = (ca?: string) =>
      new Promise<string>((resolve) => {
        get({ host: '127.0.0.1', port, agent: false, ...(ca !== undefined && { ca }) }, (response) =>
          resolve(String(response.statusCode)),
        ).once('error', (error) => resolve('code' in error ? String(error.code) : 'error'))
      })
    expect(await ask(certificate)).toBe('200')
    expect(await ask()).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    server.close()
  })

  it('is refused with the key of another certificate', async () => {
    const life = { notBefore: Date.now() - DAY, notAfter: Date.now() + DAY }
    const [one, other] = [await makeCertificate([], life), await makeCertificate([], life)]
    expect(() => fingerprintOf({ certificate: one.certificate, key: other.key })).toThrow()
  })
})

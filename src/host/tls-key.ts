import { hash, timingSafeEqual, X509Certificate } from 'node:crypto'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { OtherTlsKeyError } from '../shared/fetch.ts'

/** The requirements of a connection for the server's certificate. */
export interface RequiredTlsKey {
  readonly maxCachedSessions: 0
  readonly checkServerIdentity: (name: string, certificate: PeerCertificate) => Error | undefined
}

/**
 * Options of a TLS connection that ends in the handshake unless the server has this key. The checks of Node on chain and name come first.
 *
 * Node doesn't call `checkServerIdentity` for a resumed session, so sessions must not be cached.
 *
 * @param tlsKey SHA-256 of the key's SubjectPublicKeyInfo in DER, in lowercase hex
 */
export function requireTlsKey(tlsKey: string): RequiredTlsKey {
  const expected = Buffer.from(tlsKey, 'hex')
  return {
    maxCachedSessions: 0,
    checkServerIdentity(name, certificate) {
      const fault = checkServerIdentity(name, certificate)
      if (fault) return fault
      const key = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' })
      const observed = hash('sha256', key, 'buffer')
      return expected.length === observed.length && timingSafeEqual(expected, observed)
        ? undefined
        : new OtherTlsKeyError()
    },
  }
}

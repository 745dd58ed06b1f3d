import { generateKeyPairSync } from 'node:crypto'
import {
  certificate,
  distinguishedName,
  ecdsaSha256,
  pem,
  subjectAlternativeName,
} from '../../src/sandbox/der/certificate.ts'

/**
 * A self-signed certificate for one name.
 * @param subjectName differs if several certificates for one name must be trusted, because OpenSSL looks them up by
 * it
 */
export function tlsFor(name: string, subjectName = name): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const subject = distinguishedName(['CN', subjectName])
  const der = certificate(
    {
      serial: 1,
      issuer: subject,
      subject,
      publicKey,
      notBefore: Date.now() - 86_400_000,
      notAfter: Date.now() + 86_400_000,
      extensions: [subjectAlternativeName([{ dns: name }])],
    },
    ecdsaSha256(privateKey),
  )
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der),
  }
}

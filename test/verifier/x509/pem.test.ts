import { expect, it } from 'vitest'
import { CertificateError, certificatesFromPem } from '../../../src/verifier/x509/index.ts'
import { pem } from '../../../src/sandbox/der/certificate.ts'

const der = Buffer.from(Array.from({ length: 200 }, (_, index) => index))
const one = pem(der)

it('reads one block, and several', () => {
  expect(certificatesFromPem(one)).toEqual([der])
  expect(certificatesFromPem(one.trimEnd())).toEqual([der])
  expect(certificatesFromPem(one.replaceAll('\n', '\r\n'))).toEqual([der])
  expect(certificatesFromPem(`${one}${one}\n`)).toEqual([der, der])
})

it.each([
  ['nothing', ''],
  ['a text', 'hello'],
  ['another label', one.replaceAll('CERTIFICATE', 'PUBLIC KEY')],
  ['words before it', `hello\n${one}`],
  ['words after it', `${one}hello`],
  ['no end', one.slice(0, 100)],
  ['an empty block', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
  [
    'a base64 that is not canonical',
    one.replace(/..==\n-----END/, 'x/==\n-----END').replace(/[^=]=\n-----END/, '/=\n-----END'),
  ],
  ['lines of another length', one.replace(/\n(.{10})/, '\n$1\n')],
  ['spaces', one.replace('AAEC', 'AA EC')],
  ['over 64 KiB', one.repeat(300)],
])('refuses %s', (_, text) => {
  expect(() => certificatesFromPem(text)).toThrow(CertificateError)
})

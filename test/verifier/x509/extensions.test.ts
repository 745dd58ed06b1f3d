import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tags } from '../../../src/verifier/der/index.ts'
import {
  basicConstraints,
  CertificateError,
  dnsNames,
  extendedKeyUsage,
  extensionElement,
  keyUsage,
  parseCertificate,
  subjectAlternativeNames,
  unknownCriticalExtension,
} from '../../../src/verifier/x509/index.ts'
import * as writer from '../../../src/sandbox/der/certificate.ts'
import {
  bitString,
  boolean,
  integer,
  nul,
  octetString,
  oid,
  sequence,
  tlv,
} from '../../../src/sandbox/der/der.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const name = writer.distinguishedName(['CN', 'x'])
const withExtensions = (...extensions: Buffer[]) =>
  parseCertificate(
    writer.certificate(
      {
        serial: 1,
        issuer: name,
        subject: name,
        notBefore: 0,
        notAfter: 1000,
        publicKey: keys.publicKey,
        extensions,
      },
      writer.ecdsaSha256(keys.privateKey),
    ),
  )
const other = writer.extension('1.2.3', nul())
const raw = (id: string, value: Buffer) => withExtensions(writer.extension(id, value))

it.each([['2.5.29.14'], ['2.5.29.15'], ['2.5.29.17'], ['2.5.29.19'], ['2.5.29.35'], ['2.5.29.37']])(
  'a certificate with an unreadable extension %s is refused when it is parsed',
  (id) => {
    expect(() => raw(id, nul())).toThrow(CertificateError)
  },
)

describe('basicConstraints', () => {
  const id = '2.5.29.19'
  it('states whether the certificate may issue others, and the path length', () => {
    expect(basicConstraints(withExtensions(writer.basicConstraints(true, 0)))).toEqual({
      certificateAuthority: true,
      pathLength: 0,
    })
    expect(basicConstraints(withExtensions(writer.basicConstraints(true)))).toEqual({
      certificateAuthority: true,
    })
    expect(basicConstraints(withExtensions(writer.basicConstraints(false)))).toEqual({
      certificateAuthority: false,
    })
    expect(basicConstraints(withExtensions(other))).toBeUndefined()
  })

  it.each([
    ['a default written out', sequence(boolean(false)), 'default-encoded'],
    ['a path without authority', sequence(integer(0)), 'extension-malformed'],
    ['a negative path', sequence(boolean(true), tlv(0x02, Buffer.of(0xff))), 'integer'],
    ['more than it has', sequence(boolean(true), integer(0), nul()), 'trailing-bytes'],
    ['bytes after it', Buffer.concat([sequence(), nul()]), 'trailing-bytes'],
  ])('refuses %s', (_, value, fault) => {
    expect(() => basicConstraints(raw(id, value))).toThrow(new CertificateError(fault as 'pem'))
  })
})

it('reads keyUsage by bit', () => {
  expect(keyUsage(withExtensions(writer.keyUsage('certificateAndCrlSign')))).toEqual(new Set([5, 6]))
  expect(keyUsage(withExtensions(other))).toBeUndefined()
  expect(() => keyUsage(raw('2.5.29.15', bitString(Buffer.of(0x05), 1)))).toThrow(CertificateError)
})

it('reads extendedKeyUsage by identifier', () => {
  expect(extendedKeyUsage(withExtensions(writer.extendedKeyUsage('serverAuthentication')))).toEqual([
    '1.3.6.1.5.5.7.3.1',
  ])
  expect(extendedKeyUsage(withExtensions(other))).toBeUndefined()
  expect(() => extendedKeyUsage(raw('2.5.29.37', sequence()))).toThrow(CertificateError)
})

describe('subjectAltName', () => {
  const id = '2.5.29.17'
  it('reads the known kinds in order, and counts the others', () => {
    const value = sequence(
      tlv(0x82, Buffer.from('a.example')),
      tlv(0x86, Buffer.from('https://b')),
      tlv(0x81, Buffer.from('c@d')),
      tlv(0x87, Buffer.of(127, 0, 0, 1)),
    )
    expect(subjectAlternativeNames(raw(id, value))).toEqual([
      { kind: 'dns', value: 'a.example' },
      { kind: 'uri', value: 'https://b' },
      { kind: 'email', value: 'c@d' },
      { kind: 'other' },
    ])
    expect(dnsNames(raw(id, value))).toEqual(['a.example'])
    expect(subjectAlternativeNames(withExtensions(other))).toEqual([])
  })

  it('refuses an empty one, and names that are not IA5', () => {
    expect(() => dnsNames(raw(id, sequence()))).toThrow(CertificateError)
    expect(() => dnsNames(raw(id, sequence(tlv(0x82, Buffer.from('ä.example')))))).toThrow(CertificateError)
  })
})

it('finds an unknown critical extension', () => {
  const certificate = withExtensions(writer.basicConstraints(false), writer.extension('1.2.3', nul(), true))
  expect(unknownCriticalExtension(certificate, ['2.5.29.19'])).toBe('1.2.3')
  expect(unknownCriticalExtension(certificate, ['2.5.29.19', '1.2.3'])).toBeUndefined()
  expect(unknownCriticalExtension(withExtensions(other), [])).toBeUndefined()
})

it('reads an extension that is a single element', () => {
  expect(extensionElement(raw('1.2.3', integer(300)), '1.2.3', tags.integer)).toEqual(Uint8Array.of(1, 44))
  expect(extensionElement(raw('1.2.3', integer(300)), '1.2.4', tags.integer)).toBeUndefined()
  expect(() => extensionElement(raw('1.2.3', octetString(Buffer.of(1))), '1.2.3', tags.integer)).toThrow(
    CertificateError,
  )
  expect(() =>
    extensionElement(raw('1.2.3', Buffer.concat([integer(1), oid('1.2')])), '1.2.3', tags.integer),
  ).toThrow(CertificateError)
})

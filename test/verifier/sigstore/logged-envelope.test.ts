import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { preAuthEncoding } from '../../../src/verifier/sigstore/dsse.ts'
import { isEntryOf } from '../../../src/verifier/sigstore/logged-envelope.ts'

const envelope = {
  payload: Buffer.from('{"a":1}'),
  payloadType: 'application/vnd.in-toto+json',
  signature: Buffer.alloc(70, 6),
}
const signed = preAuthEncoding(envelope)
const certificate = Buffer.alloc(300, 0x30)
const hashed = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

interface LocalizedText {
  signature?: Buffer
  content?: Buffer
  certificate?: Buffer
  pem?: string
  algorithm?: string
}

const bodies: Record<string, (fields?: LocalizedText) => object> = {
  'dsse/0.0.1': ({
    signature = envelope.signature,
    content = envelope.payload,
    pem: text = pem,
    algorithm = 'sha256',
  } = {}) => ({
    envelopeHash: { algorithm: 'sha256', value: '00'.repeat(32) },
    payloadHash: { algorithm, value: hashed(content).toString('hex') },
    signatures: [{ signature: base64(signature), verifier: base64(text) }],
  }),
  'intoto/0.0.2': ({
    signature = envelope.signature,
    content = envelope.payload,
    pem: text = pem,
    algorithm = 'sha256',
  } = {}) => ({
    content: {
      envelope: {
        payloadType: envelope.payloadType,
        signatures: [{ publicKey: base64(text), sig: base64(base64(signature)) }],
      },
      payloadHash: { algorithm, value: hashed(content).toString('hex') },
    },
  }),
  'dsse/0.0.2': ({
    signature = envelope.signature,
    content = envelope.payload,
    certificate: der = certificate,
    algorithm = 'SHA2_256',
  } = {}) => ({
    dsseV002: {
      payloadHash: { algorithm, digest: base64(hashed(content)) },
      signatures: [
        {
          content: base64(signature),
          verifier: { keyDetails: 'PKIX_ECDSA_P256_SHA_256', x509Certificate: { rawBytes: base64(der) } },
        },
      ],
    },
  }),
  'hashedrekord/0.0.2': ({
    signature = envelope.signature,
    content = signed,
    certificate: der = certificate,
    algorithm = 'SHA2_256',
  } = {}) => ({
    hashedRekordV002: {
      data: { algorithm, digest: base64(hashed(content)) },
      signature: {
        content: base64(signature),
        verifier: { keyDetails: 'PKIX_ECDSA_P256_SHA_256', x509Certificate: { rawBytes: base64(der) } },
      },
    },
  }),
}

function isEntry(type: string, spec: unknown, claimed = type): boolean {
  const [kind, apiVersion] = type.split('/')
  return isEntryOf(
    Buffer.from(JSON.stringify({ apiVersion, kind, spec })),
    claimed,
    envelope,
    signed,
    certificate,
  )
}

describe.each(Object.entries(bodies))('%s', (type, body) => {
  test('matches the envelope that it was created from', () => {
    expect(isEntry(type, body())).toBe(true)
  })

  test.each<[string, LocalizedText]>([
    ['another signature', { signature: Buffer.alloc(70, 7) }],
    ['other content', { content: Buffer.from('{"a":2}') }],
    ['another certificate', { certificate: Buffer.alloc(300, 0x31), pem: pem.replace('MDAw', 'MDEw') }],
    ['a digest of another kind', { algorithm: 'SHA2_512' }],
    [
      'no certificate',
      { certificate: Buffer.alloc(0), pem: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n' },
    ],
  ])('doesn’t match an envelope with %s', (_what, fields) => {
    expect(isEntry(type, body(fields))).toBe(false)
  })

  test('doesn’t match if the bundle claims another kind', () => {
    for (const claimed of Object.keys(bodies).filter((other) => other !== type))
      expect(isEntry(type, body(), claimed)).toBe(false)
  })

  test('doesn’t match an envelope with two signatures', () => {
    const text = JSON.stringify(body())
    const twice = text.replace(/"signatures":\[(.*?\})\]/, '"signatures":[$1,$1]')
    expect(twice === text).toBe(type === 'hashedrekord/0.0.2')
    if (twice !== text) expect(isEntry(type, JSON.parse(twice))).toBe(false)
  })

  test('doesn’t match if any of its members is missing', () => {
    const text = JSON.stringify(body())
    for (const name of new Set([...text.matchAll(/"(\w+)":/g)].map(([, member]) => member!))) {
      const without = JSON.parse(text, (member, value: unknown) =>
        member === name ? undefined : value,
      ) as object
      if (!['envelopeHash', 'keyDetails', 'payloadType'].includes(name))
        expect(isEntry(type, without), name).toBe(type === 'intoto/0.0.2' && name === 'payloadType')
    }
  })
})

test.each([
  [
    'hashedrekord/0.0.1',
    {
      data: { hash: { algorithm: 'sha256', value: hashed(signed).toString('hex') } },
      signature: { content: base64(envelope.signature), publicKey: { content: base64(pem) } },
    },
  ],
  ['intoto/0.0.1', bodies['intoto/0.0.2']!()],
  ['toString/', {}],
  ['__proto__/0', {}],
])('an entry of the kind %s doesn’t match an envelope', (type, spec) => {
  expect(isEntry(type, spec)).toBe(false)
})

test('a body that isn’t strict JSON doesn’t match', () => {
  const text = JSON.stringify({ apiVersion: '0.0.1', kind: 'dsse', spec: bodies['dsse/0.0.1']!() })
  const is = (body: string | Buffer) =>
    isEntryOf(Buffer.from(body), 'dsse/0.0.1', envelope, signed, certificate)
  expect(is(text)).toBe(true)
  expect(is(text.replace('{"apiVersion"', '{"kind":"intoto","apiVersion"'))).toBe(false)
  expect(is(`${text}x`)).toBe(false)
  expect(is(Buffer.concat([Buffer.from(text), Buffer.of(0xff)]))).toBe(false)
  expect(is('[]')).toBe(false)
})

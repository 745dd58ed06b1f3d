import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { DerError } from '../../../src/verifier/der/index.ts'
import { isTimestampOf } from '../../../src/verifier/sigstore/timestamp.ts'
import { readTimestampToken } from '../../../src/verifier/sigstore/timestamp-token.ts'
import { CertificateError, parseCertificate } from '../../../src/verifier/x509/index.ts'

/**
 * Created by `openssl ts`, and accepted by `openssl ts -verify`: with fractions of a second, accuracy, ordering, a
 * name, and more attributes.
 */
const bytes = z.string().transform((text) => Buffer.from(text, 'base64'))
const fixture = z
  .object({
    data: bytes,
    root: bytes,
    signer: bytes,
    sha256: bytes,
    sha512: bytes,
    withoutCertificates: bytes,
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'openssl-timestamps.json'), 'utf8')))
const TIME = Date.UTC(2026, 10, 23, 21, 25, 33)
const authority = {
  chain: [parseCertificate(fixture.signer), parseCertificate(fixture.root)],
  inForce: { start: 0, end: Infinity },
}

describe.each(['sha256', 'sha512', 'withoutCertificates'] as const)('a timestamp of OpenSSL: %s', (name) => {
  const token = readTimestampToken(fixture[name])

  test('is of the bytes that were stamped, at a time with its fraction', () => {
    expect(isTimestampOf(fixture.data, token, [authority])).toBe(true)
    expect(token.time).toBeGreaterThanOrEqual(TIME)
    expect(token.time).toBeLessThan(TIME + 1_000)
    expect(token.time % 1_000).toBeGreaterThan(0)
  })

  test('is not of other bytes', () => {
    expect(isTimestampOf(Buffer.from('others'), token, [authority])).toBe(false)
    expect(isTimestampOf(fixture.data.subarray(1), token, [authority])).toBe(false)
  })

  test('is nobody’s without a trusted authority that was in force, with its whole chain', () => {
    const [signer, root] = [authority.chain[0]!, authority.chain[1]!]
    for (const chain of [[], [root], [signer], [root, signer], [signer, signer]]) {
      expect(isTimestampOf(fixture.data, token, [{ ...authority, chain }])).toBe(false)
    }
    expect(isTimestampOf(fixture.data, token, [])).toBe(false)
    expect(
      isTimestampOf(fixture.data, token, [{ ...authority, inForce: { start: 0, end: token.time - 1 } }]),
    ).toBe(false)
    expect(
      isTimestampOf(fixture.data, token, [
        { ...authority, inForce: { start: token.time + 1, end: Infinity } },
      ]),
    ).toBe(false)
    expect(isTimestampOf(fixture.data, token, [{ ...authority, chain: [root] }, authority])).toBe(true)
  })

  test('is not one of an authority whose certificate was not valid then, or is not for timestamps', () => {
    const [signer, root] = [authority.chain[0]!, authority.chain[1]!]
    expect(
      isTimestampOf(fixture.data, token, [
        { ...authority, chain: [{ ...signer, notBefore: token.time + 1 }, root] },
      ]),
    ).toBe(false)
    expect(
      isTimestampOf(fixture.data, token, [
        { ...authority, chain: [signer, { ...root, notAfter: token.time - 1 }] },
      ]),
    ).toBe(false)
    const standard = { ...signer.standard, extendedKeyUsage: undefined }
    expect(
      isTimestampOf(fixture.data, token, [{ ...authority, chain: [{ ...signer, standard }, root] }]),
    ).toBe(false)
  })

  test('holds to every byte that counts: changed, it is refused, or it is still that time of those bytes', () => {
    for (let at = 0; at < fixture[name].length; at += 1) {
      const changed = Buffer.from(fixture[name])
      changed[at]! ^= 1 << (at % 8)
      const read = readOrRefuse(changed)
      if (!read || !isTimestampOf(fixture.data, read, [authority])) continue
      // The edit changed an unsigned part: status words, version numbers, enclosed certificates and lists, or
      // unsigned attributes.
      expect({ time: read.time, imprint: Buffer.from(read.imprint.digest) }).toEqual({
        time: token.time,
        imprint: Buffer.from(token.imprint.digest),
      })
      expect(Buffer.compare(read.info, token.info)).toBe(0)
    }
  })
})

function readOrRefuse(der: Uint8Array) {
  try {
    return readTimestampToken(der)
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError) return undefined
    throw error
  }
}

it('reads any bytes, or refuses them by an error of its own', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (der) => void readOrRefuse(der)),
    { numRuns: 500 },
  )
  const genuine = fixture.sha256
  fc.assert(
    fc.property(fc.nat(genuine.length - 1), fc.uint8Array({ minLength: 1, maxLength: 6 }), (at, by) => {
      const changed = Buffer.from(genuine)
      changed.set(by.subarray(0, changed.length - at), at)
      void readOrRefuse(changed)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  [
    'a rejection',
    (der: Buffer) => {
      der[der.indexOf(Buffer.from('020100', 'hex')) + 2] = 2
      return der
    },
  ],
  [
    'another content type',
    (der: Buffer) => {
      der[der.indexOf(Buffer.from('2a864886f70d010702', 'hex')) + 8] = 3
      return der
    },
  ],
  [
    'content that is no timestamp',
    (der: Buffer) => {
      der[der.indexOf(Buffer.from('2a864886f70d0109100104', 'hex')) + 10] = 5
      return der
    },
  ],
  [
    'signed attributes of other content',
    (der: Buffer) => {
      der[der.lastIndexOf(Buffer.from('2a864886f70d0109100104', 'hex')) + 10] = 5
      return der
    },
  ],
  [
    'no digest among the signed attributes',
    (der: Buffer) => {
      der[der.lastIndexOf(Buffer.from('2a864886f70d010904', 'hex')) + 8] = 9
      return der
    },
  ],
  [
    'a content type that stands twice',
    (der: Buffer) => {
      der[der.lastIndexOf(Buffer.from('2a864886f70d010904', 'hex')) + 8] = 3
      return der
    },
  ],
  [
    'a time of another form',
    (der: Buffer) => {
      der[der.indexOf(Buffer.from('20261123')) + 14] = 0x2c
      return der
    },
  ],
  ['bytes behind it', (der: Buffer) => Buffer.concat([der, Buffer.of(0)])],
])('%s is no timestamp', (_what, change) => {
  const der = Buffer.from(fixture.sha256)
  expect(readOrRefuse(change(der))).toBeUndefined()
})

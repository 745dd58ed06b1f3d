import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CertificateError,
  commonName,
  parseCertificate,
  validityAt,
} from '../../../src/verifier/x509/index.ts'
import {
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha384,
  extension,
  spkiDer,
  tbsCertificate,
  type CertificateFields,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import {
  bitString,
  boolean,
  explicit,
  integer,
  nul,
  octetString,
  oid,
  printableString,
  sequence,
  set,
  time,
  tlv,
  utf8String,
} from '../../../src/sandbox/der/der.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const signer = ecdsaSha384(keys.privateKey)
const fields: CertificateFields = {
  serial: 7,
  issuer: distinguishedName(['C', 'US'], ['O', 'Issuer']),
  subject: distinguishedName(['O', 'Subject'], ['CN', 'subject']),
  notBefore: Date.UTC(2026, 0, 1),
  notAfter: Date.UTC(2026, 11, 31),
  publicKey: keys.publicKey,
  extensions: [basicConstraints(false), extension('1.2.3.4', octetString(Buffer.of(1)))],
}
const minted = (changes: Partial<CertificateFields> = {}, by: Signer = signer) =>
  certificate({ ...fields, ...changes }, by)
/** A certificate around a TBSCertificate that no writer makes: the signature is nobody's, and not looked at. */
const around = (tbs: Uint8Array, algorithm: Uint8Array = signer.algorithm) =>
  sequence(tbs, algorithm, bitString(Buffer.alloc(8)))

function faultOf(der: Uint8Array) {
  try {
    parseCertificate(der)
  } catch (error) {
    if (error instanceof CertificateError) return error.fault
    throw error
  }
  return 'none'
}

it('reads a certificate', () => {
  const parsed = parseCertificate(minted())
  expect(Buffer.from(parsed.tbs)).toEqual(tbsCertificate(fields, signer))
  expect([...parsed.serialNumber]).toEqual([7])
  expect(parsed.signatureAlgorithm).toEqual({ scheme: 'ecdsa', hash: 'sha384' })
  expect(parsed.issuer.attributes).toEqual([
    { type: '2.5.4.6', value: 'US' },
    { type: '2.5.4.10', value: 'Issuer' },
  ])
  expect(commonName(parsed.subject)).toBe('subject')
  expect([parsed.notBefore, parsed.notAfter]).toEqual([fields.notBefore, fields.notAfter])
  expect(Buffer.from(parsed.publicKeyInfo)).toEqual(spkiDer(keys.publicKey))
  expect(parsed.publicKeyAlgorithm).toEqual({ identifier: '1.2.840.10045.2.1', curve: '1.3.132.0.34' })
  expect([...parsed.extensions]).toEqual([
    ['2.5.29.19', { critical: true, value: Uint8Array.of(0x30, 0) }],
    ['1.2.3.4', { critical: false, value: Uint8Array.of(0x04, 1, 1) }],
  ])
})

it('counts the bits of an RSA modulus', () => {
  for (const bits of [1023, 1024, 2041, 4096]) {
    const modulus = Buffer.alloc(Math.ceil(bits / 8), 0xff)
    modulus.writeUInt8(0xff >> ((8 - (bits % 8)) % 8), 0)
    const publicKeyInfo = sequence(
      sequence(oid('1.2.840.113549.1.1.1'), nul()),
      bitString(sequence(integer(modulus), integer(65537))),
    )
    const tbs = sequence(
      explicit(0, integer(2)),
      integer(7),
      signer.algorithm,
      fields.issuer,
      sequence(time(0), time(1000)),
      fields.subject,
      publicKeyInfo,
    )
    expect(parseCertificate(around(tbs)).publicKeyAlgorithm).toEqual({
      identifier: '1.2.840.113549.1.1.1',
      modulusBits: bits,
    })
  }
})

it('determines whether it is valid, at both ends to the second', () => {
  const parsed = parseCertificate(minted())
  expect(validityAt(parsed, fields.notBefore - 1)).toBe('not-yet-valid')
  expect(validityAt(parsed, fields.notBefore)).toBe('valid')
  expect(validityAt(parsed, fields.notAfter)).toBe('valid')
  expect(validityAt(parsed, fields.notAfter + 1)).toBe('expired')
})

it('accepts a serial number of zero, which AMD’s chips have', () => {
  expect([...parseCertificate(minted({ serial: 0 })).serialNumber]).toEqual([0])
})

describe('refuses', () => {
  const tbsWith = (position: number, ...parts: readonly Uint8Array[]) => {
    const all: Uint8Array[] = [
      explicit(0, integer(2)),
      integer(7),
      signer.algorithm,
      fields.issuer,
      sequence(time(fields.notBefore), time(fields.notAfter)),
      fields.subject,
      spkiDer(keys.publicKey),
      explicit(3, sequence(...fields.extensions)),
    ]
    all.splice(position, 1, ...parts)
    return sequence(...all)
  }
  const rsaKey = (...numbers: readonly Uint8Array[]) =>
    sequence(sequence(oid('1.2.840.113549.1.1.1'), nul()), bitString(sequence(...numbers)))
  const critical = (value: boolean) => sequence(oid('1.2.3.5'), boolean(value), octetString(nul()))

  it('nothing if the certificate is unchanged', () => {
    expect(faultOf(around(tbsWith(1, integer(7))))).toBe('none')
  })

  it.each<[what: string, fault: string, der: () => Uint8Array]>([
    ['bytes after the certificate', 'trailing-bytes', () => Buffer.concat([minted(), Buffer.of(0)])],
    [
      'bytes after the signature',
      'trailing-bytes',
      () => sequence(tbsCertificate(fields, signer), signer.algorithm, bitString(Buffer.alloc(8)), nul()),
    ],
    [
      'bytes after the extensions',
      'trailing-bytes',
      () => around(sequence(tbsWith(0, explicit(0, integer(2))).subarray(4), nul())),
    ],
    [
      'over 16 KiB',
      'too-large',
      () => minted({ extensions: [extension('1.2.3.4', octetString(Buffer.alloc(16_384)))] }),
    ],
    ['version 1', 'version', () => around(tbsWith(0))],
    ['version 2', 'version', () => around(tbsWith(0, explicit(0, integer(1))))],
    ['version 1 written out', 'version', () => around(tbsWith(0, explicit(0, integer(0))))],
    ['a negative serial', 'serial-number', () => around(tbsWith(1, tlv(0x02, Buffer.of(0x80))))],
    ['a serial of 21 bytes', 'serial-number', () => around(tbsWith(1, tlv(0x02, Buffer.alloc(21, 1))))],
    ['a serial with a padding zero', 'integer', () => around(tbsWith(1, tlv(0x02, Buffer.of(0, 1))))],
    [
      'an algorithm outside that is not the one inside',
      'algorithm-mismatch',
      () => around(tbsWith(1, integer(7)), sequence(oid('1.2.840.10045.4.3.2'))),
    ],
    [
      'SHA-1',
      'algorithm-unsupported',
      () => minted({}, { ...signer, algorithm: sequence(oid('1.2.840.113549.1.1.5'), nul()) }),
    ],
    [
      'ECDSA with parameters',
      'trailing-bytes',
      () => minted({}, { ...signer, algorithm: sequence(oid('1.2.840.10045.4.3.3'), nul()) }),
    ],
    [
      'PKCS1 without its NULL',
      'truncated',
      () => minted({}, { ...signer, algorithm: sequence(oid('1.2.840.113549.1.1.11')) }),
    ],
    ['an empty RDN', 'name', () => minted({ subject: sequence(set()) })],
    [
      'a name in a BMPString',
      'string',
      () => minted({ subject: sequence(set(sequence(oid('2.5.4.3'), tlv(0x1e, Buffer.of(0, 0x61))))) }),
    ],
    ['an end before the start', 'validity', () => minted({ notAfter: fields.notBefore - 1000 })],
    [
      'no curve of an EC key',
      'truncated',
      () => around(tbsWith(6, sequence(sequence(oid('1.2.840.10045.2.1')), bitString(Buffer.alloc(97))))),
    ],
    [
      'an RSA key without its NULL',
      'truncated',
      () => around(tbsWith(6, sequence(sequence(oid('1.2.840.113549.1.1.1')), bitString(Buffer.alloc(9))))),
    ],
    [
      'a negative modulus',
      'public-key',
      () => around(tbsWith(6, rsaKey(tlv(0x02, Buffer.of(0x80, 1)), integer(3)))),
    ],
    [
      'a negative exponent',
      'public-key',
      () => around(tbsWith(6, rsaKey(integer(255), tlv(0x02, Buffer.of(0xff))))),
    ],
    [
      'more than an RSA key has',
      'trailing-bytes',
      () => around(tbsWith(6, rsaKey(integer(255), integer(3), integer(1)))),
    ],
    [
      'an empty key',
      'public-key',
      () => around(tbsWith(6, sequence(sequence(oid('1.3.101.112')), bitString(Buffer.alloc(0))))),
    ],
    ['a unique identifier', 'unique-identifier', () => around(tbsWith(7, tlv(0x81, Buffer.of(0, 1))))],
    ['a list of no extensions', 'extension-empty', () => minted({ extensions: [] })],
    [
      'an extension twice',
      'extension-duplicate',
      () => minted({ extensions: [basicConstraints(false), basicConstraints(false)] }),
    ],
    ['a default written out', 'default-encoded', () => minted({ extensions: [critical(false)] })],
    [
      'a BOOLEAN other than FF',
      'boolean',
      () => minted({ extensions: [sequence(oid('1.2.3.5'), tlv(0x01, Buffer.of(1)), octetString(nul()))] }),
    ],
    ['no bytes', 'truncated', () => new Uint8Array()],
    ['a text', 'tag-unexpected', () => Buffer.from('hello')],
  ])('%s: %s', (_, fault, der) => {
    expect(faultOf(der())).toBe(fault)
  })
})

describe('RSASSA-PSS parameters', () => {
  const sha384 = sequence(oid('2.16.840.1.101.3.4.2.2'), nul())
  const bare = sequence(oid('2.16.840.1.101.3.4.2.2'))
  const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), nul())
  const mgf1 = (hash: Uint8Array, id = '1.2.840.113549.1.1.8') => explicit(1, sequence(oid(id), hash))
  const read = (...parameters: readonly Uint8Array[]) => {
    const der = minted(
      {},
      { ...signer, algorithm: sequence(oid('1.2.840.113549.1.1.10'), sequence(...parameters)) },
    )
    const fault = faultOf(der)
    return fault === 'none' ? parseCertificate(der).signatureAlgorithm : fault
  }
  const pss = { scheme: 'rsassa-pss', hash: 'sha384', saltLength: 48 }

  it('are read in both forms that AMD issues, and without the NULLs', () => {
    expect(read(explicit(0, sha384), mgf1(sha384), explicit(2, integer(48)))).toEqual(pss)
    expect(
      read(explicit(0, sha384), mgf1(sha384), explicit(2, integer(48)), explicit(3, integer(1))),
    ).toEqual(pss)
    expect(read(explicit(0, bare), mgf1(bare), explicit(2, integer(48)))).toEqual(pss)
  })

  it('are required, because their defaults are SHA-1', () => {
    expect(read()).toBe('truncated')
    expect(read(mgf1(sha384), explicit(2, integer(48)))).toBe('tag-unexpected')
    expect(read(explicit(0, sha384), mgf1(sha384))).toBe('truncated')
  })

  it('must use one hash, MGF1 and the one trailer', () => {
    expect(read(explicit(0, sha384), mgf1(sha256), explicit(2, integer(48)))).toBe('algorithm-parameters')
    expect(read(explicit(0, sha384), mgf1(sha384, '1.2.3'), explicit(2, integer(48)))).toBe(
      'algorithm-parameters',
    )
    expect(read(explicit(0, sha384), mgf1(sha384), explicit(2, integer(48)), explicit(3, integer(2)))).toBe(
      'algorithm-parameters',
    )
    expect(
      read(explicit(0, sequence(oid('1.3.14.3.2.26'), nul())), mgf1(sha384), explicit(2, integer(48))),
    ).toBe('algorithm-unsupported')
    expect(read(explicit(0, sha384), mgf1(sha384), explicit(2, integer(48)), explicit(4, integer(1)))).toBe(
      'trailing-bytes',
    )
  })
})

it('reads one common name or none', () => {
  const named = (...names: string[]) =>
    commonName(
      parseCertificate(
        minted({
          subject: sequence(
            ...names.map((name) => set(sequence(oid('2.5.4.3'), utf8String(name)))),
            set(sequence(oid('2.5.4.6'), printableString('US'))),
          ),
        }),
      ).subject,
    )
  expect(named('a')).toBe('a')
  expect(named()).toBeUndefined()
  expect(named('a', 'b')).toBeUndefined()
})

it('refuses any changed byte or reads the change, and never throws another error', () => {
  const der = minted()
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(der)
      changed.writeUInt8(changed.readUInt8(at) ^ flip, at)
      if (faultOf(changed) === 'none') expect(Buffer.from(parseCertificate(changed).der)).toEqual(changed)
    }),
    { numRuns: 1000 },
  )
})

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CertificateError,
  verifyCrl,
  listsSerial,
  parseCertificate,
  parseCrl,
  publicKeyOf,
  type Certificate,
} from '../../../src/verifier/x509/index.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha256,
  ecdsaSha384,
  extension,
  keyUsage,
  pssSha384,
  subjectKeyIdentifier,
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
  sequence,
  time,
  tlv,
} from '../../../src/sandbox/der/der.ts'
import { evidenceIsThere, realEvidence, resource } from '../evidence-folder.ts'
import { mintedCrl, revokedEntry, tbsFields, type CrlFields } from './minted-crl.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 24 * 3600_000
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const name = distinguishedName(['C', 'US'], ['CN', 'Issuer'])
const signer = ecdsaSha256(p256.privateKey)
const pkcs1: Signer = {
  algorithm: sequence(oid('1.2.840.113549.1.1.11'), nul()),
  sign: (data) => sign('sha256', data, rsa.privateKey),
}

/** A certificate authority, of which the list takes the name, the key's identifier and what the key may do. */
function authority(
  publicKey: KeyObject,
  subject = name,
  extensions = [subjectKeyIdentifier(publicKey), basicConstraints(true), keyUsage('certificateAndCrlSign')],
) {
  const parsed = parseCertificate(
    certificate(
      { serial: 1, issuer: subject, subject, notBefore: 0, notAfter: NOW + DAY, publicKey, extensions },
      signer,
    ),
  )
  return { certificate: parsed, key: publicKey }
}
const issuer = authority(p256.publicKey)

const crlNumber = extension('2.5.29.20', integer(7))
const reason = (code: number) => extension('2.5.29.21', tlv(0x0a, Buffer.of(code)))
const LONG_SERIAL = Buffer.from('efae6e9715fca13b87e333e8261ed6d990a926ad', 'hex')
const fields: CrlFields = {
  issuer: name,
  thisUpdate: NOW - DAY,
  nextUpdate: NOW + DAY,
  entries: [
    revokedEntry(5, NOW - DAY, reason(1)),
    revokedEntry(LONG_SERIAL, NOW - DAY),
    revokedEntry(0, NOW - DAY),
  ],
  extensions: [crlNumber, authorityKeyIdentifier(p256.publicKey)],
}
const minted = (changes: Partial<CrlFields> = {}, by: Signer = signer) =>
  mintedCrl({ ...fields, ...changes }, by)
/** A list with one field of its TBSCertList replaced, or several: the signature is nobody's. */
function around(at: number, ...parts: readonly Uint8Array[]): Buffer {
  const tbs: Uint8Array[] = tbsFields(fields, signer)
  tbs.splice(at, 1, ...parts)
  return sequence(sequence(...tbs), signer.algorithm, bitString(Buffer.alloc(8)))
}

function faultOf(der: Uint8Array) {
  try {
    parseCrl(der)
  } catch (error) {
    if (error instanceof CertificateError) return error.fault
    throw error
  }
  return 'none'
}

const serialOf = (serial: number | Uint8Array): Certificate['serialNumber'] =>
  parseCertificate(
    certificate(
      {
        serial,
        issuer: name,
        subject: name,
        notBefore: 0,
        notAfter: 1000,
        publicKey: p256.publicKey,
        extensions: [crlNumber],
      },
      signer,
    ),
  ).serialNumber

describe('a revocation list', () => {
  it('names serial numbers as certificates have them', () => {
    const crl = parseCrl(minted())
    expect(crl.revoked.size).toBe(3)
    expect([crl.thisUpdate, crl.nextUpdate]).toEqual([NOW - DAY, NOW + DAY])
    for (const serial of [5, 0, LONG_SERIAL]) expect(listsSerial(crl, serialOf(serial))).toBe(true)
    for (const serial of [4, 0x500, LONG_SERIAL.subarray(1)])
      expect(listsSerial(crl, serialOf(serial))).toBe(false)
  })

  it('may revoke nothing, and needs no extension', () => {
    expect(parseCrl(minted({ entries: [], extensions: [] })).revoked.size).toBe(0)
    expect(faultOf(minted({ extensions: [] }))).toBe('none')
  })

  it('may have a critical list number, and unknown extensions that aren’t critical', () => {
    expect(
      faultOf(minted({ extensions: [extension('1.2.3', nul()), extension('2.5.29.20', integer(1), true)] })),
    ).toBe('none')
    expect(faultOf(minted({ entries: [revokedEntry(1, NOW, extension('2.5.29.24', nul()))] }))).toBe('none')
  })

  it.each<[string, string, () => Uint8Array]>([
    ['bytes after it', 'trailing-bytes', () => Buffer.concat([minted(), nul()])],
    [
      'more than its three parts',
      'trailing-bytes',
      () =>
        sequence(sequence(...tbsFields(fields, signer)), signer.algorithm, bitString(Buffer.alloc(8)), nul()),
    ],
    [
      'a signature of odd bits',
      'bit-string',
      () => sequence(sequence(...tbsFields(fields, signer)), signer.algorithm, bitString(Buffer.of(2), 1)),
    ],
    ['no version', 'tag-unexpected', () => around(0)],
    ['version 1 written out', 'version', () => around(0, integer(0))],
    ['version 3', 'version', () => around(0, integer(2))],
    [
      'another algorithm inside',
      'algorithm-mismatch',
      () => around(1, ecdsaSha384(p384.privateKey).algorithm),
    ],
    [
      'SHA-1',
      'algorithm-unsupported',
      () => minted({}, { ...signer, algorithm: sequence(oid('1.2.840.10045.4.1')) }),
    ],
    ['no end', 'tag-unexpected', () => around(4)],
    ['an end before its start', 'validity', () => minted({ nextUpdate: fields.thisUpdate - 1000 })],
    ['a time that is none', 'time', () => around(3, tlv(0x17, Buffer.from('261301000000Z')))],
    ['an empty list of entries', 'list-empty', () => around(5, sequence())],
    ['an empty list of extensions', 'extension-empty', () => around(6, explicit(0, sequence()))],
    [
      'something after the extensions',
      'trailing-bytes',
      () => around(6, explicit(0, sequence(crlNumber)), nul()),
    ],
    ['an extension twice', 'extension-duplicate', () => minted({ extensions: [crlNumber, crlNumber] })],
    [
      'a negative serial',
      'serial-number',
      () => around(5, sequence(sequence(tlv(0x02, Buffer.of(0x80)), time(NOW)))),
    ],
    [
      'a serial of 21 bytes',
      'serial-number',
      () => minted({ entries: [revokedEntry(Buffer.alloc(21, 1), NOW)] }),
    ],
    [
      'a serial with a padding zero',
      'integer',
      () => around(5, sequence(sequence(tlv(0x02, Buffer.of(0, 1)), time(NOW)))),
    ],
    ['an entry without a time', 'truncated', () => around(5, sequence(sequence(integer(1))))],
    [
      'an entry with more',
      'trailing-bytes',
      () => around(5, sequence(sequence(integer(1), time(NOW), sequence(reason(1)), nul()))),
    ],
    [
      'an entry with no extensions in their list',
      'extension-empty',
      () => around(5, sequence(sequence(integer(1), time(NOW), sequence()))),
    ],
    [
      'a delta',
      'list-scope',
      () => minted({ extensions: [crlNumber, extension('2.5.29.27', integer(1), true)] }),
    ],
    [
      'a delta that does not say it is critical',
      'list-scope',
      () => minted({ extensions: [crlNumber, extension('2.5.29.27', integer(1))] }),
    ],
    [
      'a distribution point',
      'list-scope',
      () => minted({ extensions: [extension('2.5.29.28', sequence(tlv(0x84, Buffer.of(0xff))), true)] }),
    ],
    [
      'a distribution point that does not say it is critical',
      'list-scope',
      () => minted({ extensions: [extension('2.5.29.28', sequence())] }),
    ],
    [
      'an entry of another issuer',
      'list-scope',
      () =>
        minted({ entries: [revokedEntry(1, NOW, extension('2.5.29.29', sequence(tlv(0xa4, name)), true))] }),
    ],
    [
      'an entry that takes another off',
      'list-scope',
      () => minted({ entries: [revokedEntry(1, NOW, reason(8))] }),
    ],
    [
      'a reason that is no ENUMERATED',
      'tag-unexpected',
      () => minted({ entries: [revokedEntry(1, NOW, extension('2.5.29.21', integer(1)))] }),
    ],
    [
      'an unknown critical extension',
      'extension-critical',
      () => minted({ extensions: [extension('1.2.3', nul(), true)] }),
    ],
    [
      'an unknown critical extension of an entry',
      'extension-critical',
      () => minted({ entries: [revokedEntry(1, NOW, extension('1.2.3', nul(), true))] }),
    ],
    [
      'a number that is none',
      'tag-unexpected',
      () => minted({ extensions: [extension('2.5.29.20', octetString(nul()))] }),
    ],
    [
      'a key identifier that is none',
      'tag-unexpected',
      () => minted({ extensions: [extension('2.5.29.35', nul())] }),
    ],
    [
      'a default written out',
      'default-encoded',
      () => minted({ extensions: [sequence(oid('2.5.29.20'), boolean(false), octetString(integer(1)))] }),
    ],
    [
      'over 64 KiB',
      'too-large',
      () =>
        minted({
          entries: Array.from({ length: 2000 }, (_, serial) =>
            revokedEntry(Buffer.alloc(20, (serial % 127) + 1), NOW),
          ),
        }),
    ],
    ['no bytes', 'truncated', () => new Uint8Array()],
    ['a certificate', 'tag-unexpected', () => issuer.certificate.der],
  ])('is refused with %s: %s', (_, fault, der) => {
    expect(faultOf(der())).toBe(fault)
  })

  it('of any bytes is read, or refused with a fault', () => {
    const der = minted()
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(der)
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at)
        if (faultOf(changed) === 'none') expect(verifyCrl(parseCrl(changed), issuer, NOW)).toBeDefined()
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(faultOf(bytes)).not.toBe('none')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('verifyCrl', () => {
  const verifyList = (der: Uint8Array, by = issuer, now = NOW) => verifyCrl(parseCrl(der), by, now)

  it('accepts a signature of each scheme by the signing key, and by no other key', () => {
    const withoutKey = { extensions: [crlNumber] }
    const cases: [Signer, KeyObject][] = [
      [signer, p256.publicKey],
      [ecdsaSha384(p384.privateKey), p384.publicKey],
      [pssSha384(rsa.privateKey, true), rsa.publicKey],
      [pssSha384(rsa.privateKey, false), rsa.publicKey],
      [pkcs1, rsa.publicKey],
    ]
    for (const [by, key] of cases) {
      expect(verifyList(minted(withoutKey, by), authority(key))).toBeUndefined()
      for (const other of [
        p256.publicKey,
        p384.publicKey,
        rsa.publicKey,
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
      ]) {
        if (other !== key) expect(verifyList(minted(withoutKey, by), authority(other))).toBe('signature')
      }
    }
  })

  it('accepts only a list of this issuer', () => {
    expect(verifyList(minted())).toBeUndefined()
    expect(verifyList(minted({ issuer: distinguishedName(['C', 'US'], ['CN', 'Other']) }))).toBe(
      'other-issuer',
    )
    expect(verifyList(minted({ extensions: [authorityKeyIdentifier(p384.publicKey)] }))).toBe('other-key')
    expect(
      verifyList(minted(), authority(p256.publicKey, name, [subjectKeyIdentifier(p384.publicKey)])),
    ).toBe('other-key')
    expect(verifyList(minted(), authority(p256.publicKey, name, [basicConstraints(true)]))).toBeUndefined()
  })

  it('accepts a list only from a key that may sign lists', () => {
    expect(verifyList(minted(), authority(p256.publicKey, name, [keyUsage('certificateSign')]))).toBe(
      'signer-unfit',
    )
    expect(verifyList(minted(), authority(p256.publicKey, name, [keyUsage('digitalSignature')]))).toBe(
      'signer-unfit',
    )
  })

  it('accepts a list from its first instant to its last', () => {
    expect(verifyList(minted(), issuer, NOW - DAY)).toBeUndefined()
    expect(verifyList(minted(), issuer, NOW + DAY)).toBeUndefined()
    expect(verifyList(minted(), issuer, NOW - DAY - 1)).toBe('not-yet-valid')
    expect(verifyList(minted(), issuer, NOW + DAY + 1)).toBe('expired')
  })

  it('reports an unsigned list as unsigned, even if it has expired', () => {
    expect(
      verifyList(minted({ nextUpdate: NOW - 1000 }, { ...signer, sign: () => signer.sign(Buffer.alloc(1)) })),
    ).toBe('signature')
  })
})

describe.skipIf(!evidenceIsThere)('Intel’s own lists', () => {
  const at = Date.UTC(2023, 5, 30)

  it('are read, and the root’s list revokes nothing', () => {
    const root = parseCrl(realEvidence('tdx/spr/root_crl.der'))
    expect(root.revoked.size).toBe(0)
    const pck = parseCrl(realEvidence('tdx/spr/pck_crl.der'))
    expect(pck.revoked.size).toBeGreaterThan(10)
    expect(pck.revoked.has(`00${LONG_SERIAL.toString('hex')}`)).toBe(true)
    expect([pck.thisUpdate, pck.nextUpdate].map((time) => new Date(time).toISOString())).toEqual([
      '2023-06-08T07:27:52.000Z',
      '2023-07-08T07:27:52.000Z',
    ])
    expect(verifyCrl(pck, issuer, at)).toBe('other-issuer')
  })

  it('are verified with Intel’s root', () => {
    const [der] = [
      Buffer.from(resource('trust/intel-sgx-root-ca.pem').replace(/-----.*-----|\n/g, ''), 'base64'),
    ]
    const root = parseCertificate(der)
    const key = publicKeyOf(root)
    if (!key) throw new Error('the root has no key')
    const crl = parseCrl(realEvidence('tdx/spr/root_crl.der'))
    expect(verifyCrl(crl, { certificate: root, key }, at)).toBeUndefined()
    expect(verifyCrl(crl, { certificate: root, key }, Date.UTC(2024, 3, 3))).toBe('expired')
    expect(verifyCrl({ ...crl, tbs: crl.tbs.toReversed() }, { certificate: root, key }, at)).toBe('signature')
  })
})

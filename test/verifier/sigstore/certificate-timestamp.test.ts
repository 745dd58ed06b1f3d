import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import {
  isCertificateLogged,
  readCertificateTimestamps,
  type CertificateTimestamp,
} from '../../../src/verifier/sigstore/certificate-timestamp.ts'
import { readTrustedRoot, type TrustedRoot } from '../../../src/verifier/sigstore/trusted-root.ts'
import { CertificateError, parseCertificate, type Certificate } from '../../../src/verifier/x509/index.ts'
import { mintSigstore } from './minted-release.ts'

const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2'

/** Issued and logged by an implementation that is not ours. */
let root: TrustedRoot
let leaf: Certificate
let issuer: Certificate
let timestamp: CertificateTimestamp
beforeAll(async () => {
  const sigstore = await mintSigstore()
  root = readTrustedRoot(JSON.stringify(sigstore.trustedRoot))
  const { verificationMaterial } = (await sigstore.release()) as {
    verificationMaterial: { certificate: { rawBytes: string } }
  }
  leaf = parseCertificate(Buffer.from(verificationMaterial.certificate.rawBytes, 'base64'))
  issuer = root.certificateAuthorities[0]!.chain[0]!
  const all = readCertificateTimestamps(leaf)
  expect(all).toHaveLength(1)
  timestamp = all[0]!
})

const withList = (value: Buffer): Certificate => ({
  ...leaf,
  extensions: new Map([...leaf.extensions, [SCT_LIST, { critical: false, value }]]),
})
/** An OCTET STRING around the list. */
const octets = (list: Buffer) =>
  Buffer.concat([list.length < 0x80 ? Buffer.of(4, list.length) : Buffer.of(4, 0x81, list.length), list])

test('is signed by the log that it names, for this certificate of this issuer', () => {
  expect(isCertificateLogged(timestamp, leaf, issuer, root.certificateLogs)).toBe(true)
})

describe('is not', () => {
  it.each<[string, (genuine: CertificateTimestamp) => Partial<CertificateTimestamp>]>([
    [
      'at another time',
      ({ time }) => ({ time: Buffer.from(time.map((byte, at) => (at === 7 ? byte ^ 1 : byte))) }),
    ],
    ['at a time beyond all', () => ({ time: Buffer.alloc(8, 0xff) })],
    ['with extensions', () => ({ extensions: Buffer.of(1) })],
    ['of another version', () => ({ version: 1 })],
    ['of another log', () => ({ logId: Buffer.alloc(32, 1) })],
    ['with another hash', () => ({ hash: 5 })],
    ['with another kind of signature', () => ({ scheme: 1 })],
    ['with an empty signature', () => ({ signature: Buffer.alloc(0) })],
  ])('%s', (_what, change) => {
    expect(
      isCertificateLogged({ ...timestamp, ...change(timestamp) }, leaf, issuer, root.certificateLogs),
    ).toBe(false)
  })

  it('for another certificate, or one of another issuer', () => {
    const tbs = Uint8Array.from(leaf.tbs)
    tbs[tbs.indexOf(0x02, 9) + 2]! ^= 1
    expect(isCertificateLogged(timestamp, { ...leaf, tbs }, issuer, root.certificateLogs)).toBe(false)
    expect(isCertificateLogged(timestamp, leaf, leaf, root.certificateLogs)).toBe(false)
  })

  it('of a log that was not in force then, or that nobody trusts', () => {
    const at = Number(timestamp.time.readBigUInt64BE())
    const [log] = root.certificateLogs
    expect(isCertificateLogged(timestamp, leaf, issuer, [])).toBe(false)
    expect(isCertificateLogged(timestamp, leaf, issuer, [{ ...log!, inForce: { start: at, end: at } }])).toBe(
      true,
    )
    expect(
      isCertificateLogged(timestamp, leaf, issuer, [{ ...log!, inForce: { start: at + 1, end: Infinity } }]),
    ).toBe(false)
    expect(
      isCertificateLogged(timestamp, leaf, issuer, [{ ...log!, inForce: { start: 0, end: at - 1 } }]),
    ).toBe(false)
    expect(isCertificateLogged(timestamp, leaf, issuer, [{ ...log!, key: root.signatureLogs[0]!.key }])).toBe(
      false,
    )
  })
})

test('a certificate without a list has none, and an empty list none', () => {
  const extensions = new Map([...leaf.extensions].filter(([identifier]) => identifier !== SCT_LIST))
  expect(readCertificateTimestamps({ ...leaf, extensions })).toEqual([])
  expect(readCertificateTimestamps(withList(octets(Buffer.of(0, 0))))).toEqual([])
})

it('reads any list, or refuses it by an error of its own', () => {
  const genuine = leaf.extensions.get(SCT_LIST)!.value
  const read = (value: Buffer) => {
    try {
      return readCertificateTimestamps(withList(value))
    } catch (error) {
      if (error instanceof CertificateError || error instanceof RangeError) return undefined
      throw error
    }
  }
  expect(read(Buffer.from(genuine))).toHaveLength(1)
  // Every length in it counts.
  for (let cut = 1; cut < genuine.length; cut += 1)
    expect(read(Buffer.from(genuine.subarray(0, -cut)))).toBeUndefined()
  expect(read(octets(Buffer.concat([genuine.subarray(genuine.indexOf(0, 1)), Buffer.of(0)])))).toBeUndefined()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (list) => {
      const sum = (read(octets(Buffer.from(list))) ?? []).reduce(
        (length, { signature, extensions }) => length + signature.length + extensions.length + 47,
        0,
      )
      expect(sum).toBeLessThanOrEqual(list.length)
    }),
    { numRuns: 1_000 },
  )
})

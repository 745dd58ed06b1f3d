import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuote, QuoteError, readSgxExtensions } from '../../../src/verifier/tdx/index.ts'
import { CertificateError, parseCertificate } from '../../../src/verifier/x509/index.ts'
import { MintedIntel, MR_SEAM } from './minted-machine.ts'

const intel = new MintedIntel()
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function readOrRefuse<T>(read: () => T, error: typeof QuoteError | typeof CertificateError): T | undefined {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof error) return undefined
    throw thrown
  }
}

describe('a quote', () => {
  it.each([4, 5] as const)('of version %i is read field by field', (version) => {
    const patches = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [28 + index, Buffer.of(index)]),
    )
    const bytes = intel.quote({ version, patches, authenticationData: Buffer.from('abc') })
    const quote = parseQuote(bytes)
    expect(quote).toMatchObject({ version, attestationKeyType: 2 })
    expect(hex(quote.userData)).toBe(hex(Uint8Array.from({ length: 20 }, (_, index) => index)))
    expect(quote.signed).toHaveLength(version === 4 ? 632 : 702)
    expect(hex(quote.td.mrSeam)).toBe(MR_SEAM)
    expect(quote.td.tdx15 === undefined).toBe(version === 4)
    if (quote.td.tdx15)
      expect([hex(quote.td.tdx15.teeTcbSvn).slice(0, 8), quote.td.tdx15.mrServiceTd.length]).toEqual([
        '06010200',
        48,
      ])
    expect([
      quote.signature.length,
      quote.attestationKey.length,
      quote.qeReport.length,
      quote.qeReportSignature.length,
    ]).toEqual([64, 64, 384, 64])
    expect(Buffer.from(quote.qeAuthenticationData).toString()).toBe('abc')
    expect(Buffer.from(quote.pckChain).toString()).toMatch(
      /^-----BEGIN CERTIFICATE-----\n[^]*-----END CERTIFICATE-----\n\0$/,
    )
  })

  it('has a named fault if it is refused', () => {
    const bytes = intel.quote()
    bytes.writeUInt16LE(3, 0)
    expect(() => parseQuote(bytes)).toThrow(
      expect.objectContaining({ name: 'QuoteError', fault: 'version', message: 'version 3' }),
    )
  })

  it('is read, or refused with its own error, for any bytes', () => {
    const bytes = intel.quote()
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, other) => {
        const changed = Buffer.from(bytes)
        changed.set(other.subarray(0, bytes.length - at), at)
        const read = readOrRefuse(() => parseQuote(changed), QuoteError)
        expect(read?.pckChain.length ?? 0).toBeLessThan(bytes.length)
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (random) => {
        expect(readOrRefuse(() => parseQuote(random), QuoteError)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})

it('Intel’s extension is read, or refused with its own error, for any bytes', () => {
  const certificate = parseCertificate(intel.pckCertificate())
  const identifier = '1.2.840.113741.1.13.1'
  const genuine = Buffer.from(certificate.extensions.get(identifier)?.value ?? [])
  expect(genuine.length).toBeGreaterThan(300)
  fc.assert(
    fc.property(fc.nat(genuine.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const value = Buffer.from(genuine)
      value.writeUInt8(value.readUInt8(at) ^ flip, at)
      const read = readOrRefuse(
        () =>
          readSgxExtensions({
            ...certificate,
            extensions: new Map([[identifier, { critical: false, value }]]),
          }),
        CertificateError,
      )
      if (read) expect(read.components.every((svn) => svn >= 0 && svn <= 0xff)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

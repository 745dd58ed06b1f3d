import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  CollateralError,
  MAX_QUOTE_BYTES,
  parseQuote,
  qeIdentityOf,
  QuoteError,
  readIntelCollateral,
  readSgxExtensions,
  readStatement,
  splitSignedJson,
  tcbInfoOf,
  tdxSteps,
} from '../../src/verifier/tdx/index.ts'
import { CertificateError, certificatesFromPem, parseCertificate } from '../../src/verifier/x509/index.ts'
import { MintedIntel, qeIdentity, sgxExtension, tcbInfo } from '../verifier/tdx/minted-machine.ts'
import { pcsResponses } from '../verifier/tdx/real-tdx.ts'
import { edited, edits, fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'

/**
 * For any input, a parser of TDX evidence either reads it or throws its own error. Its output is never larger than
 * the input allows.
 */

// Reading a statement takes a tenth of a millisecond, so a run takes minutes on a loaded machine.
vi.setConfig({ testTimeout: 3_600_000 })

const intel = new MintedIntel()

it.each([4, 5] as const)('quotes of version %i', (version) => {
  const quote = intel.quote({ version })
  const check = (input: Uint8Array) => {
    const read = readOrRefuse(() => parseQuote(input), QuoteError)
    if (!read) return
    expect(input.length).toBeLessThanOrEqual(MAX_QUOTE_BYTES)
    const parts = [
      read.signed,
      read.signature,
      read.attestationKey,
      read.qeReport,
      read.qeReportSignature,
      read.qeAuthenticationData,
      read.pckChain,
    ]
    expect(parts.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(input.length)
  }
  parseQuote(quote)
  fuzz(quote, check)
  // Inputs that random bytes almost never form: a valid header, with lengths anywhere after it.
  fc.assert(
    fc.property(
      fc.nat({ max: quote.length - 8 }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      (at, bytes) => {
        const changed = Buffer.from(quote)
        changed.set(bytes, at)
        check(changed)
      },
    ),
    { numRuns: parserRuns },
  )
})

it('certificate chains of quotes', () => {
  const chain = parseQuote(intel.quote()).pckChain
  fuzz(chain, (input) => {
    const read =
      readOrRefuse(
        () => certificatesFromPem(Buffer.from(input).toString('latin1').replace(/\0$/, '')),
        CertificateError,
      ) ?? []
    expect(read.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(input.length)
  })
})

it('Intel’s extension of machines’ certificates', () => {
  const certificate = parseCertificate(intel.pckCertificate())
  const identifier = '1.2.840.113741.1.13.1'
  const genuine = certificate.extensions.get(identifier)?.value ?? sgxExtension()
  const withValue = (value: Uint8Array) => ({
    ...certificate,
    extensions: new Map([[identifier, { critical: false, value }]]),
  })
  readSgxExtensions(withValue(genuine))
  fuzz(genuine, (input) => {
    const read = readOrRefuse(() => readSgxExtensions(withValue(input)), CertificateError)
    if (read) expect([read.components.length, read.ppid.length, read.fmspc.length]).toEqual([16, 32, 12])
  })
})

it('answers of Intel’s around a statement', () => {
  fuzz(intel.signed('tcbInfo', tcbInfo()), (input) => {
    const split = splitSignedJson(input, 'tcbInfo')
    if (!split) return
    expect(split.signature.length).toBe(64)
    expect(split.statement.length).toBeLessThan(input.length)
    const read = readStatement(split, (value) => value)
    // A parser of the whole statement reads the same.
    if (read !== undefined)
      expect(read).toEqual(
        z.object({ tcbInfo: z.unknown() }).parse(JSON.parse(Buffer.from(input).toString('utf8'))).tcbInfo,
      )
  })
})

/** A statement with some of its values replaced by any JSON value. */
function replaced(statement: object): fc.Arbitrary<string> {
  const members = Object.entries(statement)
  return fc
    .array(fc.tuple(fc.nat(members.length - 1), fc.jsonValue()), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      JSON.stringify({
        ...statement,
        ...Object.fromEntries(changes.map(([index, value]) => [members[index]?.[0] ?? '', value])),
      }),
    )
}

it.each([
  ['lists of security levels', tcbInfoOf, tcbInfo()],
  ['identities of the quoting enclave', qeIdentityOf, qeIdentity()],
] as const)('%s', (_, form, statement) => {
  const read = (text: Uint8Array) =>
    readStatement<{ readonly tcbLevels: readonly unknown[]; readonly nextUpdate: number }>(
      { statement: text },
      form,
    )
  expect(read(Buffer.from(JSON.stringify(statement)))).toBeDefined()
  const check = (input: Uint8Array) => {
    const found = read(input)
    if (!found) return
    expect(found.tcbLevels.length).toBeLessThanOrEqual(256)
    expect(Number.isSafeInteger(found.nextUpdate)).toBe(true)
  }
  fuzz(Buffer.from(JSON.stringify(statement)), check)
  fc.assert(
    fc.property(replaced(statement), (text) => check(Buffer.from(text))),
    { numRuns: Math.ceil(parserRuns / 2) },
  )
})

it('Intel’s answers as they come with evidence', () => {
  const responses = pcsResponses(intel.answers())
  const url = fc.oneof(fc.constantFrom(...responses.map((response) => response.url)), fc.string())
  const value = fc.oneof(fc.string(), fc.constantFrom('%', '%41', encodeURIComponent(intel.signerChain())))
  const headers = fc.dictionary(
    fc.oneof(
      fc.constantFrom('TCB-Info-Issuer-Chain', 'tcb-info-issuer-chain', 'SGX-Enclave-Identity-Issuer-Chain'),
      fc.string(),
    ),
    value,
    { maxKeys: 4 },
  )
  const answer = fc.oneof(
    fc.constantFrom(...responses),
    fc.record({ url, headers, body: fc.uint8Array({ maxLength: 20 }) }),
  )
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 8 }), (received) => {
      const read = readOrRefuse(() => readIntelCollateral(received), CollateralError)
      if (read) expect(received.length).toBeGreaterThanOrEqual(4)
    }),
    { numRuns: parserRuns },
  )
})

it('whole quotes that were edited: refused by a code, and never good', () => {
  const input = intel.input()
  expect(tdxSteps.verify(input).good).toBe(true)
  fc.assert(
    fc.property(edits, (changes) => {
      const quote = edited(input.quote, changes)
      const result = tdxSteps.verify({ ...input, quote })
      // The white space after the last certificate and the zeros after the quote aren't signed.
      if (result.good)
        expect(Buffer.from(result.value.evidence.quote.signed).equals(input.quote.subarray(0, 632))).toBe(
          true,
        )
      else expect(result.failure.code).toMatch(/^(?:quote|pck|intel)\//)
    }),
    { numRuns: Math.ceil(parserRuns / 10) },
  )
})

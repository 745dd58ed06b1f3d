import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tdxSteps, type TdxInput } from '../../../src/verifier/tdx/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import { tcbStatusSchema } from '../../../src/shared/policy/tdx.ts'
import {
  basicConstraints,
  distinguishedName,
  ecdsaSha256,
  ecdsaSha384,
  extension,
  keyUsage,
  pem,
  type CertificateFields,
} from '../../../src/sandbox/der/certificate.ts'
import { integer, nul, octetString, sequence, tlv } from '../../../src/sandbox/der/der.ts'
import { revokedEntry } from '../x509/minted-crl.ts'
import {
  bodyAt,
  COMPONENTS,
  DAY,
  intelName,
  iso,
  isvLevel,
  level,
  MintedIntel,
  MR_SEAM,
  moduleIdentity,
  NOW,
  PCE_SVN,
  pointOf,
  policy,
  qeIdentity,
  sgxExtension,
  tcbInfo,
  tcbSequence,
  u16,
  u32,
  type Patches,
  type QuoteParts,
} from './minted-machine.ts'
import { pcsResponses, type Answers } from './real-tdx.ts'

const intel = new MintedIntel()

type Ending = AttestationCode | 'good'
function endOf(input: TdxInput): Ending {
  const result = tdxSteps.verify(input)
  expect(result.steps.map(({ id }) => id)).toEqual(tdxSteps.names.map(({ id }) => id))
  return result.good ? 'good' : result.failure.code
}
const withQuote = (quote: QuoteParts) => endOf(intel.input({ quote }))
const withAnswers = (answers: Partial<Answers>) => endOf(intel.input({ answers }))
const another = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

describe('a valid quote', () => {
  it.each([4, 5] as const)(
    'of version %i passes each step, and expires with the first of its inputs',
    (version) => {
      const result = tdxSteps.verify(intel.input({ quote: { version } }))
      expect(result.steps.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(
        tdxSteps.names.map(({ id }) => `${id} passed`),
      )
      if (!result.good) throw new Error('refused')
      const { quote, machine, tcbStatus, notAfter } = result.value.evidence
      expect(notAfter).toBe(NOW + 27 * DAY)
      expect(tcbStatus).toBe('UpToDate')
      expect(machine).toEqual({
        ppid: '11'.repeat(16),
        pceId: '0000',
        fmspc: '00906ed50000',
        components: COMPONENTS,
        pceSvn: PCE_SVN,
      })
      expect(quote.version).toBe(version)
      expect(Buffer.from(quote.td.mrTd)).toEqual(Buffer.alloc(48, 0xd1))
      expect(quote.td.rtmrs.map((register) => register[0])).toEqual([0xe0, 0xe1, 0xe2, 0])
      expect(Buffer.from(quote.td.reportData)).toEqual(Buffer.alloc(64, 0x5a))
    },
  )

  it.each<[string, number, Partial<Answers>]>([
    ['the list of revoked machines', NOW + 5 * DAY, { pckCrl: intel.pckCrl({ nextUpdate: NOW + 5 * DAY }) }],
    ['the list of the root', NOW + 5 * DAY, { rootCrl: intel.rootCrl({ nextUpdate: NOW + 5 * DAY }) }],
    [
      'the list of levels',
      NOW + 5 * DAY,
      { tcbInfo: intel.signed('tcbInfo', tcbInfo({ nextUpdate: iso(NOW + 5 * DAY) })) },
    ],
    [
      'a signer',
      NOW + 5 * DAY,
      {
        tcbInfoChain: intel.signerChain(
          intel.signerCertificate({ notAfter: NOW + 5 * DAY }),
          intel.soundRoot,
        ),
      },
    ],
  ])('expires with %s', (_, notAfter, answers) => {
    expect(tdxSteps.verify(intel.input({ answers }))).toMatchObject({
      good: true,
      value: { evidence: { notAfter } },
    })
  })

  it('expires with a certificate of its chain', () => {
    const [, ca = Buffer.alloc(0)] = intel.soundChain
    const chain = [intel.pckCertificate({ notAfter: NOW + 3 * DAY }), ca, intel.soundRoot]
    expect(tdxSteps.verify(intel.input({ quote: { chain } }))).toMatchObject({
      good: true,
      value: { evidence: { notAfter: NOW + 3 * DAY } },
    })
    const shortCa = [
      intel.pckCertificate(),
      intel.caCertificate({ notAfter: NOW + 2 * DAY }),
      intel.soundRoot,
    ]
    expect(tdxSteps.verify(intel.input({ quote: { chain: shortCa } }))).toMatchObject({
      good: true,
      value: { evidence: { notAfter: NOW + 2 * DAY } },
    })
  })

  it('is unchanged by its verification', () => {
    const input = intel.input()
    const before = Buffer.from(input.quote)
    expect([endOf(input), endOf(input)]).toEqual(['good', 'good'])
    expect(input.quote).toEqual(before)
  })

  it('may end in zeros, and in nothing else', () => {
    const input = intel.input()
    const padded = (padding: Buffer) => endOf({ ...input, quote: Buffer.concat([input.quote, padding]) })
    expect(padded(Buffer.alloc(70))).toBe('good')
    expect(padded(Buffer.from('\n'))).toBe('quote/length')
    expect(padded(Buffer.concat([Buffer.alloc(69), Buffer.of(1)]))).toBe('quote/length')
    expect(padded(Buffer.alloc(16 * 1024))).toBe('quote/length')
  })
})

describe('the layout', () => {
  const cut = (length: number) => endOf({ ...intel.input(), quote: intel.quote().subarray(0, length) })
  it('needs the full length of each part', () => {
    for (const length of [
      0, 1, 47, 48, 631, 632, 635, 636, 700, 763, 764, 769, 770, 1153, 1217, 1219, 1240, 1246, 2000,
    ])
      expect(cut(length)).toBe('quote/length')
  })

  it.each<[string, AttestationCode, (quote: Buffer) => Buffer]>([
    [
      'a longer signature than follows',
      'quote/length',
      (quote) => {
        quote.writeUInt32LE(quote.length, 632)
        return quote
      },
    ],
    [
      'a shorter signature than follows',
      'quote/length',
      (quote) => {
        quote.writeUInt32LE(quote.readUInt32LE(632) - 1, 632)
        return quote
      },
    ],
    [
      'a longer certification',
      'quote/length',
      (quote) => {
        quote.writeUInt32LE(quote.readUInt32LE(766) + 1, 766)
        return quote
      },
    ],
    [
      'a shorter certification',
      'quote/length',
      (quote) => {
        quote.writeUInt32LE(quote.readUInt32LE(766) - 1, 766)
        return quote
      },
    ],
    [
      'a length beyond all',
      'quote/length',
      (quote) => {
        quote.writeUInt32LE(0xffffffff, 766)
        return quote
      },
    ],
    [
      'more authentication data',
      'quote/length',
      (quote) => {
        quote.writeUInt16LE(0xffff, 1218)
        return quote
      },
    ],
    [
      'certification of another type',
      'quote/certification-data',
      (quote) => {
        quote.writeUInt16LE(5, 764)
        return quote
      },
    ],
    [
      'a chain of another type',
      'quote/certification-data',
      (quote) => {
        quote.writeUInt16LE(4, 1239)
        return quote
      },
    ],
  ])('is refused with %s', (_, code, change) => {
    expect(endOf({ ...intel.input(), quote: change(intel.quote()) })).toBe(code)
  })

  it.each<[string, AttestationCode, Patches]>([
    ['version 3', 'quote/version-unsupported', { 0: u16(3) }],
    ['version 6', 'quote/version-unsupported', { 0: u16(6) }],
    ['P-384', 'quote/attestation-key-type', { 2: u16(3) }],
    ['SGX', 'quote/tee-type', { 4: u32(0) }],
    ['a reserved byte', 'quote/reserved-bytes', { 8: Buffer.of(1) }],
    ['the last reserved byte', 'quote/reserved-bytes', { 11: Buffer.of(1) }],
    ['another vendor', 'quote/qe-vendor', { 12: Buffer.of(0x94) }],
  ])('is refused with %s, with any signature', (_, code, patches) => {
    expect(withQuote({ patches })).toBe(code)
  })

  it('of version 5 needs a body of a known type and size', () => {
    const withBody = (patches: Patches) => withQuote({ version: 5, patches })
    expect(withBody({ 48: u16(1) })).toBe('quote/body-type')
    expect(withBody({ 48: u16(2) })).toBe('quote/body-type')
    expect(withBody({ 48: u16(4) })).toBe('quote/body-type')
    expect(withBody({ 50: u32(647) })).toBe('quote/body-type')
    expect(withBody({ 48: u16(2), 50: u32(584) })).toBe('quote/length')
  })
})

describe('the chain', () => {
  const [pck = Buffer.alloc(0), ca = Buffer.alloc(0), root = Buffer.alloc(0)] = intel.soundChain
  const withPck = (changes: Partial<CertificateFields>, signer = ecdsaSha256(intel.platformCa.privateKey)) =>
    withQuote({ chain: [intel.pckCertificate(changes, signer), ca, root] })
  const withCa = (changes: Partial<CertificateFields>, signer = ecdsaSha256(intel.root.privateKey)) =>
    withQuote({ chain: [pck, intel.caCertificate(changes, signer), root] })
  const underRoot = (changes: Partial<CertificateFields>, signer = ecdsaSha256(intel.root.privateKey)) => {
    const other = intel.rootCertificate(changes, signer)
    const signers = intel.signerChain(intel.signerCertificate(), other)
    return endOf(
      intel.input({
        root: other,
        quote: { chain: [pck, ca, other] },
        answers: { tcbInfoChain: signers, qeIdentityChain: signers },
      }),
    )
  }
  const text = intel.soundChain.map((der) => pem(der)).join('')

  it.each<[string, Ending, () => Ending]>([
    ['without a NUL', 'good', () => withQuote({ chainText: text })],
    ['with two NULs', 'pck/chain-malformed', () => withQuote({ chainText: `${text}\0\0` })],
    [
      'with a NUL in it',
      'pck/chain-malformed',
      () => withQuote({ chainText: text.replace('-----END', '\0-----END') }),
    ],
    ['of two', 'pck/chain-length', () => withQuote({ chain: [pck, ca] })],
    ['of four', 'pck/chain-length', () => withQuote({ chain: [pck, ca, root, root] })],
    ['of one', 'pck/chain-length', () => withQuote({ chain: [pck] })],
    ['of none', 'pck/chain-length', () => withQuote({ chainText: '' })],
    ['of none, ended with a NUL', 'pck/chain-length', () => withQuote({ chain: [] })],
    ['of white space', 'pck/chain-length', () => withQuote({ chainText: ' \r\n\0' })],
    ['that is no PEM', 'pck/chain-malformed', () => withQuote({ chainText: 'chain' })],
    ['in another order', 'pck/root-untrusted', () => withQuote({ chain: [root, ca, pck] })],
    [
      'to another root of the name',
      'pck/root-untrusted',
      () => withQuote({ chain: [pck, ca, intel.rootCertificate({ serial: 9 })] }),
    ],
    [
      'to the root signed anew',
      'pck/root-untrusted',
      () => withQuote({ chain: [pck, ca, intel.rootCertificate()] }),
    ],
    [
      'with the machine in the issuer’s place',
      'intel/intermediate-invalid',
      () => withQuote({ chain: [pck, pck, root] }),
    ],
    [
      'with the issuer in the machine’s place',
      'pck/chain-invalid',
      () => withQuote({ chain: [ca, ca, root] }),
    ],
    [
      'with a certificate that is none',
      'pck/chain-invalid',
      () => withQuote({ chain: [Buffer.from('pck'), ca, root] }),
    ],
  ])('%s: %s', (_, code, end) => {
    expect(end()).toBe(code)
  })

  it.each<[string, Ending, () => Ending]>([
    [
      'another name',
      'intel/root-invalid',
      () => underRoot({ subject: intelName('Intel SGX Root'), issuer: intelName('Intel SGX Root') }),
    ],
    [
      'another organisation',
      'intel/root-invalid',
      () =>
        underRoot({
          subject: distinguishedName(
            ['CN', 'Intel SGX Root CA'],
            ['O', 'Intel'],
            ['L', 'Santa Clara'],
            ['ST', 'CA'],
            ['C', 'US'],
          ),
        }),
    ],
    ['another signature', 'intel/root-invalid', () => underRoot({}, ecdsaSha256(another().privateKey))],
    [
      'no authority',
      'intel/root-invalid',
      () => underRoot({ extensions: [keyUsage('certificateAndCrlSign'), basicConstraints(false)] }),
    ],
    [
      'a path that is too short',
      'intel/root-invalid',
      () => underRoot({ extensions: [keyUsage('certificateAndCrlSign'), basicConstraints(true, 0)] }),
    ],
    ['no key usage', 'intel/root-invalid', () => underRoot({ extensions: [basicConstraints(true)] })],
    ['a start in the future', 'intel/root-invalid', () => underRoot({ notBefore: NOW + 1000 })],
    ['an end in the past', 'intel/root-invalid', () => underRoot({ notAfter: NOW - 1000 })],
    [
      'a critical extension',
      'intel/root-invalid',
      () =>
        underRoot({
          extensions: [
            keyUsage('certificateAndCrlSign'),
            basicConstraints(true),
            extension('1.2.3', nul(), true),
          ],
        }),
    ],
    [
      'a path without limit',
      'good',
      () => underRoot({ extensions: [keyUsage('certificateAndCrlSign'), basicConstraints(true)] }),
    ],
  ])('under a root with %s: %s', (_, code, end) => {
    expect(end()).toBe(code)
  })

  it('without a root is refused', () => {
    expect(endOf(intel.input({ root: new Uint8Array() }))).toBe('intel/root-invalid')
    expect(endOf(intel.input({ root: intel.rootCertificate() }))).toBe('pck/root-untrusted')
  })

  it.each<[string, Ending, () => Ending]>([
    [
      'the other issuer’s name',
      'pck/chain-invalid',
      () => withCa({ subject: intelName('Intel SGX PCK Processor CA') }),
    ],
    [
      'a name that Intel has not',
      'intel/intermediate-invalid',
      () => withCa({ subject: intelName('Intel SGX PCK Other CA') }),
    ],
    ['another issuer', 'intel/intermediate-invalid', () => withCa({ issuer: intelName('Intel SGX Root') })],
    ['another signature', 'intel/intermediate-invalid', () => withCa({}, ecdsaSha256(another().privateKey))],
    ['SHA-384', 'intel/intermediate-invalid', () => withCa({}, ecdsaSha384(intel.root.privateKey))],
    [
      'no authority',
      'intel/intermediate-invalid',
      () => withCa({ extensions: [keyUsage('certificateSign'), basicConstraints(false)] }),
    ],
    [
      'a key that may not sign certificates',
      'intel/intermediate-invalid',
      () => withCa({ extensions: [keyUsage('digitalSignature'), basicConstraints(true)] }),
    ],
    [
      'a key of P-384',
      'intel/intermediate-invalid',
      () => withCa({ publicKey: generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey }),
    ],
    ['an end in the past', 'intel/intermediate-invalid', () => withCa({ notAfter: NOW - 1000 })],
    ['a start in the future', 'intel/intermediate-invalid', () => withCa({ notBefore: NOW + 1000 })],
    [
      'a key that may not sign lists',
      'intel/pck-crl-invalid',
      () => withCa({ extensions: [keyUsage('certificateSign'), basicConstraints(true)] }),
    ],
  ])('by an issuer with %s: %s', (_, code, end) => {
    expect(end()).toBe(code)
  })

  it('of Intel’s processor CA is accepted', () => {
    const processor = intelName('Intel SGX PCK Processor CA')
    const chain = [
      intel.pckCertificate({ issuer: processor }),
      intel.caCertificate({ subject: processor }),
      root,
    ]
    expect(
      endOf(intel.input({ quote: { chain }, answers: { pckCrl: intel.pckCrl({ issuer: processor }) } })),
    ).toBe('good')
  })

  it.each<[string, Ending, () => Ending]>([
    ['another name', 'pck/chain-invalid', () => withPck({ subject: intelName('Intel SGX PCK') })],
    ['another issuer', 'pck/chain-invalid', () => withPck({ issuer: intelName('Intel SGX Root CA') })],
    ['another signature', 'pck/chain-invalid', () => withPck({}, ecdsaSha256(intel.root.privateKey))],
    [
      'authority',
      'pck/chain-invalid',
      () => withPck({ extensions: [keyUsage('digitalSignature'), basicConstraints(true), sgxExtension()] }),
    ],
    [
      'a key that may not sign',
      'pck/chain-invalid',
      () => withPck({ extensions: [keyUsage('certificateSign'), basicConstraints(false), sgxExtension()] }),
    ],
    [
      'a key of P-384',
      'pck/chain-invalid',
      () => withPck({ publicKey: generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey }),
    ],
    [
      'a critical extension',
      'pck/chain-invalid',
      () =>
        withPck({
          extensions: [
            keyUsage('digitalSignature'),
            basicConstraints(false),
            sgxExtension(),
            extension('1.2.3', nul(), true),
          ],
        }),
    ],
    ['a start in the future', 'pck/not-yet-valid', () => withPck({ notBefore: NOW + 1000 })],
    ['its first instant', 'good', () => withPck({ notBefore: NOW })],
    ['its last instant', 'good', () => withPck({ notAfter: NOW })],
    ['an end in the past', 'pck/expired', () => withPck({ notAfter: NOW - 1000 })],
  ])('to a machine with %s: %s', (_, code, end) => {
    expect(end()).toBe(code)
  })

  const withSgx = (changes: Readonly<Record<string, Buffer | undefined>>) =>
    withPck({ extensions: [keyUsage('digitalSignature'), basicConstraints(false), sgxExtension(changes)] })
  it.each<[string, Ending, Readonly<Record<string, Buffer | undefined>>]>([
    [
      'more than is read',
      'good',
      { 5: tlv(0x0a, Buffer.of(1)), 6: octetString(Buffer.alloc(16)), 7: sequence() },
    ],
    ['no PPID', 'pck/malformed', { 1: undefined }],
    ['no TCB', 'pck/malformed', { 2: undefined }],
    ['no PCEID', 'pck/malformed', { 3: undefined }],
    ['no FMSPC', 'pck/malformed', { 4: undefined }],
    ['a short PPID', 'pck/malformed', { 1: octetString(Buffer.alloc(15)) }],
    ['a long FMSPC', 'pck/malformed', { 4: octetString(Buffer.alloc(7)) }],
    ['a PCEID that is a number', 'pck/malformed', { 3: integer(0) }],
    ['bytes after a value', 'pck/malformed', { 3: Buffer.concat([octetString(Buffer.alloc(2)), nul()]) }],
    ['a TCB without a component', 'pck/malformed', { 2: tcbSequence({ 16: undefined }) }],
    ['a TCB without PCESVN', 'pck/malformed', { 2: tcbSequence({ 17: undefined }) }],
    ['a TCB with more', 'pck/malformed', { 2: tcbSequence({ 19: integer(0) }) }],
    ['a component above 255', 'pck/malformed', { 2: tcbSequence({ 3: integer(256) }) }],
    ['a component below 0', 'pck/malformed', { 2: tcbSequence({ 3: tlv(0x02, Buffer.of(0xff)) }) }],
    ['PCESVN above 65535', 'pck/malformed', { 2: tcbSequence({ 17: integer(65536) }) }],
    ['a short CPUSVN', 'pck/malformed', { 2: tcbSequence({ 18: octetString(Buffer.alloc(15)) }) }],
  ])('to a machine that states %s: %s', (_, code, changes) => {
    expect(withSgx(changes)).toBe(code)
  })

  it('to a machine with a missing or duplicate statement is refused', () => {
    expect(withPck({ extensions: [keyUsage('digitalSignature'), basicConstraints(false)] })).toBe(
      'pck/malformed',
    )
    const [id, value] = ['1.2.840.113741.1.13.1', sequence()]
    expect(
      withPck({ extensions: [keyUsage('digitalSignature'), basicConstraints(false), extension(id, value)] }),
    ).toBe('pck/malformed')
  })
})

describe('the collateral', () => {
  const responses = pcsResponses(intel.answers())
  const codeWith = (collateral: TdxInput['collateral']) => endOf(intel.input({ collateral }))

  it('is required', () => {
    expect(codeWith(undefined)).toBe('intel/collateral-missing')
    expect(codeWith([])).toBe('intel/collateral-malformed')
    for (const left of responses)
      expect(codeWith(responses.filter((response) => response !== left))).toBe('intel/collateral-malformed')
  })

  it.each<[string, AttestationCode, Partial<Answers>]>([
    ['no list of the root', 'intel/root-crl-invalid', { rootCrl: new Uint8Array() }],
    [
      'a list by another key',
      'intel/root-crl-invalid',
      { rootCrl: intel.rootCrl({}, ecdsaSha256(another().privateKey)) },
    ],
    ['a list of another issuer', 'intel/root-crl-invalid', { rootCrl: intel.pckCrl() }],
    ['a list to come', 'intel/root-crl-invalid', { rootCrl: intel.rootCrl({ thisUpdate: NOW + 1000 }) }],
    ['an old list', 'intel/root-crl-expired', { rootCrl: intel.rootCrl({ nextUpdate: NOW - 1000 }) }],
    [
      'a revoked issuer',
      'intel/intermediate-revoked',
      { rootCrl: intel.rootCrl({ entries: [revokedEntry(9, NOW), revokedEntry(2, NOW)] }) },
    ],
    ['no list of machines', 'intel/pck-crl-invalid', { pckCrl: new Uint8Array() }],
    ['a list of machines by the root', 'intel/pck-crl-invalid', { pckCrl: intel.rootCrl() }],
    [
      'a list of machines by another key',
      'intel/pck-crl-invalid',
      { pckCrl: intel.pckCrl({}, ecdsaSha256(intel.root.privateKey)) },
    ],
    [
      'an old list of machines',
      'intel/pck-crl-expired',
      { pckCrl: intel.pckCrl({ nextUpdate: NOW - 1000 }) },
    ],
    ['a revoked machine', 'pck/revoked', { pckCrl: intel.pckCrl({ entries: [revokedEntry(3, NOW - DAY)] }) }],
    [
      'a machine that will have been revoked',
      'pck/revoked',
      { pckCrl: intel.pckCrl({ entries: [revokedEntry(3, NOW + DAY)] }) },
    ],
  ])('is refused with %s', (_, code, answers) => {
    expect(withAnswers(answers)).toBe(code)
  })
})

describe('the signatures', () => {
  it.each<[string, AttestationCode, QuoteParts]>([
    ['by another key than the quote names', 'quote/signature-invalid', { quoteSigner: another().privateKey }],
    ['by another machine', 'quote/qe-report-signature-invalid', { machineSigner: another().privateKey }],
    ['for another key', 'quote/attestation-key-unbound', { qePatches: { 320: Buffer.alloc(32, 1) } }],
    ['with more in the report data', 'quote/attestation-key-unbound', { qePatches: { 383: Buffer.of(1) } }],
  ])('%s are refused', (_, code, quote) => {
    expect(withQuote(quote)).toBe(code)
  })

  it('over other bytes are refused', () => {
    const flipped = (at: number) => {
      const quote = intel.quote()
      quote.writeUInt8(quote.readUInt8(at) ^ 1, at)
      return endOf({ ...intel.input(), quote })
    }
    for (const at of [28, 47, 48, 200, 631, 636, 699]) expect(flipped(at)).toBe('quote/signature-invalid')
    for (const at of [770, 1000, 1153, 1154, 1217])
      expect(flipped(at)).toBe('quote/qe-report-signature-invalid')
    for (const at of [1220, 1238]) expect(flipped(at)).toBe('quote/attestation-key-unbound')
  })

  it('by a key that isn’t on the curve are refused', () => {
    const quote = intel.quote()
    quote.set(Buffer.alloc(64, 7), 700)
    expect(endOf({ ...intel.input(), quote })).toBe('quote/signature-invalid')
    expect(pointOf(intel.attestation.publicKey)).toHaveLength(64)
  })

  it('are verified before the content: an unsigned debug quote is refused as unsigned', () => {
    expect(withQuote({ quoteSigner: another().privateKey, patches: { 168: Buffer.of(1) } })).toBe(
      'quote/signature-invalid',
    )
  })

  it('cover any authentication data', () => {
    expect(withQuote({ authenticationData: Buffer.alloc(0) })).toBe('good')
    expect(withQuote({ authenticationData: Buffer.alloc(1000, 3) })).toBe('good')
  })
})

describe('Intel’s statements', () => {
  const tcb = (changes: object) => withAnswers({ tcbInfo: intel.signed('tcbInfo', tcbInfo(changes)) })
  const qe = (changes: object) =>
    withAnswers({ qeIdentity: intel.signed('enclaveIdentity', qeIdentity(changes)) })
  const signer = intel.signerCertificate()

  it.each<[string, Ending, () => string]>([
    ['alone', 'intel/signer-invalid', () => intel.signerChain(signer)],
    ['with more', 'intel/signer-invalid', () => intel.signerChain(signer, intel.soundRoot, intel.soundRoot)],
    ['under another root', 'intel/signer-invalid', () => intel.signerChain(signer, intel.rootCertificate())],
    ['that is no PEM', 'intel/signer-invalid', () => 'chain'],
    [
      'of another name',
      'intel/signer-invalid',
      () =>
        intel.signerChain(
          intel.signerCertificate({ subject: intelName('Intel SGX PCK Certificate') }),
          intel.soundRoot,
        ),
    ],
    [
      'that is an authority',
      'intel/signer-invalid',
      () =>
        intel.signerChain(
          intel.signerCertificate({ extensions: [keyUsage('digitalSignature'), basicConstraints(true)] }),
          intel.soundRoot,
        ),
    ],
    [
      'by another authority',
      'intel/signer-invalid',
      () =>
        intel.signerChain(
          intel.signerCertificate({}, ecdsaSha256(intel.platformCa.privateKey)),
          intel.soundRoot,
        ),
    ],
    [
      'that has ended',
      'intel/signer-invalid',
      () => intel.signerChain(intel.signerCertificate({ notAfter: NOW - 1000 }), intel.soundRoot),
    ],
    [
      'that is to come',
      'intel/signer-invalid',
      () => intel.signerChain(intel.signerCertificate({ notBefore: NOW + 1000 }), intel.soundRoot),
    ],
    [
      'of another key',
      'intel/tcb-info-signature-invalid',
      () => intel.signerChain(intel.signerCertificate({ publicKey: another().publicKey }), intel.soundRoot),
    ],
  ])('by a signer %s: %s', (_, code, chain) => {
    expect(withAnswers({ tcbInfoChain: chain() })).toBe(code)
    expect(withAnswers({ qeIdentityChain: chain() })).toBe(code.replace('tcb-info', 'qe-identity'))
  })

  it('by a signer that the root has revoked are refused', () => {
    expect(withAnswers({ rootCrl: intel.rootCrl({ entries: [revokedEntry(4, NOW)] }) })).toBe(
      'intel/signer-revoked',
    )
    const other = intel.signerChain(intel.signerCertificate({ serial: 40 }), intel.soundRoot)
    expect(
      withAnswers({ rootCrl: intel.rootCrl({ entries: [revokedEntry(40, NOW)] }), qeIdentityChain: other }),
    ).toBe('intel/signer-revoked')
  })

  it('by another key are refused', () => {
    expect(withAnswers({ tcbInfo: intel.signed('tcbInfo', tcbInfo(), another().privateKey) })).toBe(
      'intel/tcb-info-signature-invalid',
    )
    expect(
      withAnswers({ qeIdentity: intel.signed('enclaveIdentity', qeIdentity(), another().privateKey) }),
    ).toBe('intel/qe-identity-signature-invalid')
    expect(withAnswers({ tcbInfo: intel.signed('enclaveIdentity', qeIdentity()) })).toBe(
      'intel/tcb-info-malformed',
    )
    expect(withAnswers({ tcbInfo: intel.signed('tcbInfo', qeIdentity()) })).toBe('intel/tcb-info-malformed')
  })

  it.each<[string, Ending, object]>([
    ['of SGX', 'intel/tcb-info-unsupported', { id: 'SGX' }],
    ['of version 2', 'intel/tcb-info-unsupported', { version: 2 }],
    ['of version 4', 'intel/tcb-info-unsupported', { version: 4 }],
    ['of another type', 'intel/tcb-info-malformed', { tcbType: 1 }],
    ['to come', 'intel/tcb-info-not-yet-valid', { issueDate: iso(NOW + 1000) }],
    ['of the past', 'intel/tcb-info-expired', { nextUpdate: iso(NOW - 1000) }],
    ['of this instant', 'good', { issueDate: iso(NOW), nextUpdate: iso(NOW) }],
    ['without an end', 'intel/tcb-info-malformed', { nextUpdate: undefined }],
    ['with an end in words', 'intel/tcb-info-malformed', { nextUpdate: 'tomorrow' }],
    [
      'with an end on the 30th of February',
      'intel/tcb-info-malformed',
      { nextUpdate: '2027-02-30T00:00:00Z' },
    ],
    ['with an end in another zone', 'intel/tcb-info-malformed', { nextUpdate: '2027-02-28T00:00:00+01:00' }],
    ['of an old evaluation', 'intel/evaluation-too-old', { tcbEvaluationDataNumber: 17 }],
    ['of a later evaluation', 'good', { tcbEvaluationDataNumber: 19 }],
    ['of an evaluation that is no number', 'intel/tcb-info-malformed', { tcbEvaluationDataNumber: '18' }],
    ['of an evaluation that is no integer', 'intel/tcb-info-malformed', { tcbEvaluationDataNumber: 18.5 }],
    ['for other machines', 'intel/tcb-info-other-platform', { fmspc: '00906ed50001' }],
    ['for another PCE', 'intel/tcb-info-other-platform', { pceId: '0001' }],
    ['for machines that are no hex', 'intel/tcb-info-malformed', { fmspc: '00906ed5000g' }],
    ['without levels', 'intel/tcb-info-malformed', { tcbLevels: [] }],
    [
      'with a component too many',
      'intel/tcb-info-malformed',
      { tcbLevels: [level({ sgx: [...COMPONENTS, 0] })] },
    ],
    ['with a component too few', 'intel/tcb-info-malformed', { tcbLevels: [level({ tdx: [0] })] }],
    [
      'with a component above 255',
      'intel/tcb-info-malformed',
      { tcbLevels: [level({ sgx: COMPONENTS.map(() => 256) })] },
    ],
    [
      'with a component below 0',
      'intel/tcb-info-malformed',
      { tcbLevels: [level({ sgx: COMPONENTS.map(() => -1) })] },
    ],
    [
      'with a status that is no text',
      'intel/tcb-info-malformed',
      { tcbLevels: [{ ...level(), tcbStatus: 1 }] },
    ],
    [
      'with a status that is too long',
      'intel/tcb-info-malformed',
      { tcbLevels: [level(), level({ status: 'x'.repeat(65) })] },
    ],
    ['with members besides', 'good', { more: { advisories: [] } }],
  ])('on security levels, %s: %s', (_, code, changes) => {
    expect(tcb(changes)).toBe(code)
  })

  it.each<[string, Ending, object]>([
    ['of another enclave', 'intel/qe-identity-other-enclave', { id: 'QE' }],
    ['of version 3', 'intel/qe-identity-version-unsupported', { version: 3 }],
    ['to come', 'intel/qe-identity-not-yet-valid', { issueDate: iso(NOW + 1000) }],
    ['of the past', 'intel/qe-identity-expired', { nextUpdate: iso(NOW - 1000) }],
    ['of an old evaluation', 'intel/evaluation-too-old', { tcbEvaluationDataNumber: 17 }],
    ['without a signer', 'intel/qe-identity-malformed', { mrsigner: undefined }],
    ['of another signer', 'intel/qe-signer-mismatch', { mrsigner: 'dc'.repeat(32) }],
    ['of another product', 'intel/qe-mismatch', { isvprodid: 1 }],
    ['of other miscselect', 'intel/qe-mismatch', { miscselect: '01000000' }],
    ['of other attributes', 'intel/qe-mismatch', { attributes: '13000000000000000000000000000000' }],
    [
      'of attributes outside its mask',
      'intel/qe-mismatch',
      { attributes: '15000000000000000000000000000000' },
    ],
    [
      'of attributes in hex that is too long',
      'intel/qe-identity-malformed',
      { attributes: '1100000000000000000000000000000000' },
    ],
    [
      'that calls it out of date',
      'intel/qe-not-up-to-date',
      { tcbLevels: [isvLevel(8), isvLevel(7, 'OutOfDate')] },
    ],
    ['that has revoked it', 'intel/qe-revoked', { tcbLevels: [isvLevel(8), isvLevel(7, 'Revoked')] }],
    ['that lists no level of it', 'intel/qe-unlisted', { tcbLevels: [isvLevel(8)] }],
    ['whose first level counts', 'good', { tcbLevels: [isvLevel(6), isvLevel(7, 'Revoked')] }],
    [
      'that says what Intel says of no enclave',
      'intel/qe-not-up-to-date',
      { tcbLevels: [isvLevel(7, 'SWHardeningNeeded')] },
    ],
    ['that says what is not understood', 'intel/qe-not-up-to-date', { tcbLevels: [isvLevel(7, 'Fine')] }],
    [
      'that says so of a level that is not reached',
      'good',
      { tcbLevels: [isvLevel(8, 'Fine'), isvLevel(7), isvLevel(1, 'Fine')] },
    ],
  ])('on the quoting enclave, %s: %s', (_, code, changes) => {
    expect(qe(changes)).toBe(code)
  })

  it('on a quoting enclave under test don’t match', () => {
    expect(withQuote({ qePatches: { 48: Buffer.of(0x17) } })).toBe('intel/qe-mismatch')
  })

  it.each<[string, Ending, object]>([
    [
      'a component above',
      'intel/tcb-unlisted',
      { tcbLevels: [level({ sgx: COMPONENTS.map((svn, index) => (index === 15 ? 1 : svn)) })] },
    ],
    ['PCESVN above', 'intel/tcb-unlisted', { tcbLevels: [level({ pceSvn: PCE_SVN + 1 })] }],
    [
      'a TDX component above',
      'intel/tcb-unlisted',
      { tcbLevels: [level({ tdx: [5, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] })] },
    ],
    [
      'the module’s components above, which do not count',
      'good',
      { tcbLevels: [level({ tdx: [9, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] })] },
    ],
    [
      'a second level that is reached',
      'intel/tcb-out-of-date',
      { tcbLevels: [level({ pceSvn: PCE_SVN + 1 }), level({ status: 'OutOfDate' }), level()] },
    ],
    [
      'OutOfDateConfigurationNeeded',
      'intel/tcb-out-of-date',
      { tcbLevels: [level({ status: 'OutOfDateConfigurationNeeded' })] },
    ],
    [
      'SWHardeningNeeded',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'SWHardeningNeeded' })] },
    ],
    [
      'ConfigurationNeeded',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'ConfigurationNeeded' })] },
    ],
    [
      'ConfigurationAndSWHardeningNeeded',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'ConfigurationAndSWHardeningNeeded' })] },
    ],
    [
      'TDRelaunchAdvised',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'TDRelaunchAdvised' })] },
    ],
    [
      'TDRelaunchAdvisedConfigurationNeeded',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'TDRelaunchAdvisedConfigurationNeeded' })] },
    ],
    ['Revoked', 'intel/tcb-revoked', { tcbLevels: [level({ status: 'Revoked' })] }],
    [
      'a status that is not understood',
      'intel/tcb-not-up-to-date',
      { tcbLevels: [level({ status: 'Fine' })] },
    ],
    ['a status that is empty', 'intel/tcb-not-up-to-date', { tcbLevels: [level({ status: '' })] }],
    ['a status in other letters', 'intel/tcb-not-up-to-date', { tcbLevels: [level({ status: 'uptodate' })] }],
    [
      'such a status of levels that do not count',
      'good',
      {
        tcbLevels: [
          level({ pceSvn: PCE_SVN + 1, status: 'Fine' }),
          level(),
          level({ pceSvn: 0, status: 'Fine' }),
        ],
      },
    ],
  ])('on the machine, %s: %s', (_, code, changes) => {
    expect(tcb(changes)).toBe(code)
  })

  it.each<[string, Ending, object]>([
    ['nothing', 'intel/module-unlisted', { tdxModuleIdentities: [moduleIdentity({ id: 'TDX_02' })] }],
    ['nothing at all', 'intel/module-unlisted', { tdxModuleIdentities: undefined }],
    [
      'no level that it reaches',
      'intel/module-unlisted',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(6)] })] },
    ],
    [
      'that it is out of date',
      'intel/module-not-up-to-date',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(6), isvLevel(5, 'OutOfDate')] })] },
    ],
    [
      'that it is revoked',
      'intel/module-revoked',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5, 'Revoked')] })] },
    ],
    [
      'what Intel says of no module',
      'intel/module-not-up-to-date',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5, 'ConfigurationNeeded')] })] },
    ],
    [
      'what is not understood',
      'intel/module-not-up-to-date',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5, 'Fine')] })] },
    ],
    [
      'what is not understood, of a level that does not count',
      'good',
      { tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5), isvLevel(2, 'Fine')] })] },
    ],
    [
      'what is not understood, of another module',
      'good',
      {
        tdxModuleIdentities: [
          moduleIdentity(),
          moduleIdentity({ id: 'TDX_03', tcbLevels: [isvLevel(1, 'Fine')] }),
        ],
      },
    ],
    [
      'that another key signs it',
      'intel/module-mismatch',
      { tdxModuleIdentities: [moduleIdentity({ mrsigner: '01'.repeat(48) })] },
    ],
    [
      'other attributes',
      'intel/module-mismatch',
      { tdxModuleIdentities: [moduleIdentity({ attributes: '0100000000000000' })] },
    ],
    [
      'two things',
      'intel/tcb-info-malformed',
      { tdxModuleIdentities: [moduleIdentity(), moduleIdentity({ id: 'TDX_01' })] },
    ],
    [
      'a name that is none',
      'intel/tcb-info-malformed',
      { tdxModuleIdentities: [moduleIdentity({ id: 'TDX_1' })] },
    ],
  ])('on the module, %s: %s', (_, code, changes) => {
    expect(tcb(changes)).toBe(code)
  })

  it('on the module must match the quote', () => {
    expect(withQuote({ patches: { [48 + 64]: Buffer.of(1) } })).toBe('intel/module-mismatch')
    expect(withQuote({ patches: { [48 + 112]: Buffer.of(1) } })).toBe('intel/module-mismatch')
    expect(withQuote({ patches: { 49: Buffer.of(2) } })).toBe('intel/module-unlisted')
    const masked = tcbInfo({ tdxModuleIdentities: [moduleIdentity({ attributesMask: 'F0FFFFFFFFFFFFFF' })] })
    expect(
      endOf(
        intel.input({
          quote: { patches: { [48 + 112]: Buffer.of(1) } },
          answers: { tcbInfo: intel.signed('tcbInfo', masked) },
        }),
      ),
    ).toBe('good')
  })

  it('on a module before version 1 are based on the platform’s components', () => {
    const old = { patches: { 48: Buffer.from('0600', 'hex') } }
    const lenient = { ...policy, minimumTeeTcbSvn: '0'.repeat(32) }
    const codeAt = (tdx: readonly number[], changes: object = {}) =>
      endOf(
        intel.input({
          quote: old,
          policy: lenient,
          answers: { tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbLevels: [level({ tdx })], ...changes })) },
        }),
      )
    expect(codeAt([6, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toBe('good')
    expect(codeAt([7, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toBe('intel/tcb-unlisted')
    expect(codeAt([6, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toBe('intel/tcb-unlisted')
    const other = {
      tdxModule: { mrsigner: '01'.repeat(48), attributes: '0'.repeat(16), attributesMask: 'F'.repeat(16) },
    }
    expect(codeAt([6, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], other)).toBe('intel/module-mismatch')
  })

  it('are accepted if the policy lists the status, and a revoked status never is', () => {
    const codeFor = (status: string, tcbStatuses: typeof policy.tcbStatuses) =>
      endOf(
        intel.input({
          policy: { ...policy, tcbStatuses },
          answers: { tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbLevels: [level({ status })] })) },
        }),
      )
    expect(codeFor('SWHardeningNeeded', ['UpToDate', 'SWHardeningNeeded'])).toBe('good')
    expect(codeFor('ConfigurationNeeded', ['UpToDate', 'SWHardeningNeeded'])).toBe('intel/tcb-not-up-to-date')
    expect(codeFor('OutOfDate', ['UpToDate', 'OutOfDate'])).toBe('good')
    expect(codeFor('Revoked', ['UpToDate', 'OutOfDate'])).toBe('intel/tcb-revoked')
    expect(codeFor('TDRelaunchAdvised', ['TDRelaunchAdvised'])).toBe('good')
    expect(codeFor('Fine', ['UpToDate', 'OutOfDate'])).toBe('intel/tcb-not-up-to-date')
  })
})

describe('the combined status of machine, module and quoting enclave', () => {
  interface Text {
    readonly machine?: string
    readonly module?: string
    readonly enclave?: string
  }
  const result = (
    tcbStatuses: typeof policy.tcbStatuses,
    { machine = 'UpToDate', module = 'UpToDate', enclave = 'UpToDate' }: Text,
  ) =>
    tdxSteps.verify(
      intel.input({
        policy: { ...policy, tcbStatuses },
        answers: {
          tcbInfo: intel.signed(
            'tcbInfo',
            tcbInfo({
              tcbLevels: [level({ status: machine })],
              tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5, module)] })],
            }),
          ),
          qeIdentity: intel.signed('enclaveIdentity', qeIdentity({ tcbLevels: [isvLevel(7, enclave)] })),
        },
      }),
    )

  it.each<[(typeof policy.tcbStatuses)[number], Text]>([
    ['UpToDate', {}],
    ['OutOfDate', { machine: 'OutOfDate' }],
    ['OutOfDate', { module: 'OutOfDate' }],
    ['OutOfDate', { enclave: 'OutOfDate' }],
    ['OutOfDate', { module: 'OutOfDate', enclave: 'OutOfDate' }],
    ['OutOfDate', { machine: 'OutOfDate', module: 'OutOfDate', enclave: 'OutOfDate' }],
    ['SWHardeningNeeded', { machine: 'SWHardeningNeeded' }],
    ['OutOfDate', { machine: 'SWHardeningNeeded', module: 'OutOfDate' }],
    ['OutOfDate', { machine: 'SWHardeningNeeded', enclave: 'OutOfDate' }],
    ['ConfigurationNeeded', { machine: 'ConfigurationNeeded' }],
    ['OutOfDateConfigurationNeeded', { machine: 'ConfigurationNeeded', module: 'OutOfDate' }],
    ['ConfigurationAndSWHardeningNeeded', { machine: 'ConfigurationAndSWHardeningNeeded' }],
    ['OutOfDateConfigurationNeeded', { machine: 'ConfigurationAndSWHardeningNeeded', enclave: 'OutOfDate' }],
    ['OutOfDateConfigurationNeeded', { machine: 'OutOfDateConfigurationNeeded', enclave: 'OutOfDate' }],
    ['TDRelaunchAdvised', { machine: 'TDRelaunchAdvised' }],
    ['OutOfDate', { machine: 'TDRelaunchAdvised', enclave: 'OutOfDate' }],
    ['TDRelaunchAdvisedConfigurationNeeded', { machine: 'TDRelaunchAdvisedConfigurationNeeded' }],
    [
      'OutOfDateConfigurationNeeded',
      { machine: 'TDRelaunchAdvisedConfigurationNeeded', module: 'OutOfDate' },
    ],
  ])(
    'is %s for %j: accepted by a policy with only this status, and refused by one with all others',
    (status, statuses) => {
      const evidence = { tcbStatus: statuses.machine ?? 'UpToDate', resultingStatus: status }
      expect(result([status], statuses)).toMatchObject({ good: true, value: { evidence } })
      const others = tcbStatusSchema.exclude(['Revoked']).options.filter((other) => other !== status)
      expect(result(others, statuses).good).toBe(false)
    },
  )

  const most = tcbStatusSchema.exclude(['Revoked']).options
  it.each<[AttestationCode, typeof policy.tcbStatuses, Text]>([
    [
      'intel/module-not-up-to-date',
      ['UpToDate'],
      { module: 'OutOfDate', machine: 'OutOfDate', enclave: 'OutOfDate' },
    ],
    ['intel/tcb-out-of-date', ['UpToDate'], { machine: 'OutOfDate', enclave: 'OutOfDate' }],
    ['intel/tcb-not-up-to-date', ['UpToDate'], { machine: 'SWHardeningNeeded', enclave: 'OutOfDate' }],
    ['intel/qe-not-up-to-date', ['UpToDate'], { enclave: 'OutOfDate' }],
    ['intel/qe-not-up-to-date', ['SWHardeningNeeded'], { enclave: 'OutOfDate' }],
    [
      'intel/qe-not-up-to-date',
      ['UpToDate', 'SWHardeningNeeded'],
      { machine: 'SWHardeningNeeded', enclave: 'OutOfDate' },
    ],
    ['intel/tcb-not-up-to-date', ['SWHardeningNeeded'], {}],
    ['intel/tcb-not-up-to-date', ['OutOfDate'], {}],
    [
      'intel/tcb-out-of-date',
      ['UpToDate', 'ConfigurationNeeded', 'OutOfDate'],
      { machine: 'ConfigurationNeeded', enclave: 'OutOfDate' },
    ],
    ['intel/module-revoked', most, { module: 'Revoked' }],
    ['intel/tcb-revoked', most, { machine: 'Revoked' }],
    ['intel/qe-revoked', most, { enclave: 'Revoked' }],
    ['intel/qe-revoked', most, { module: 'OutOfDate', machine: 'OutOfDate', enclave: 'Revoked' }],
    ['intel/module-not-up-to-date', most, { module: 'SWHardeningNeeded' }],
    ['intel/tcb-not-up-to-date', most, { machine: 'Fine' }],
    ['intel/qe-not-up-to-date', most, { enclave: 'SWHardeningNeeded' }],
  ])('is refused: %s, by a policy of %j, for %j', (code, tcbStatuses, statuses) => {
    expect(result(tcbStatuses, statuses)).toMatchObject({ good: false, failure: { code } })
  })

  it('must be UpToDate for each of them if the policy lists only UpToDate', () => {
    const statuses = [...tcbStatusSchema.options, 'Fine']
    for (const machine of statuses)
      for (const module of statuses)
        for (const enclave of statuses) {
          expect([machine, module, enclave, result(['UpToDate'], { machine, module, enclave }).good]).toEqual(
            [machine, module, enclave, [machine, module, enclave].every((word) => word === 'UpToDate')],
          )
        }
  })
})

describe('the trust domain', () => {
  const patched = (offset: number, bytes: Buffer, version: 4 | 5 = 4) =>
    withQuote({ version, patches: { [bodyAt(version) + offset]: bytes } })
  const asked = (changes: Partial<typeof policy>, offset = 0, bytes = Buffer.alloc(0)) =>
    endOf(intel.input({ policy: { ...policy, ...changes }, quote: { patches: { [48 + offset]: bytes } } }))
  const ATTRIBUTES = 120
  const XFAM = 128

  it.each<[string, AttestationCode, number, string]>([
    ['debugging', 'td/debug', ATTRIBUTES, '0100001000000000'],
    ['debugging and more', 'td/debug', ATTRIBUTES, 'ff00001000000000'],
    ['a reserved test bit', 'td/attributes-reserved-bits', ATTRIBUTES, '0200001000000000'],
    ['a reserved bit below', 'td/attributes-reserved-bits', ATTRIBUTES, '0001001000000000'],
    ['migration', 'td/attributes-reserved-bits', ATTRIBUTES, '0000003000000000'],
    ['key locker', 'td/attributes-reserved-bits', ATTRIBUTES, '0000009000000000'],
    ['a reserved bit above', 'td/attributes-reserved-bits', ATTRIBUTES, '0000001001000000'],
    ['PKS', 'td/attributes-mismatch', ATTRIBUTES, '0000005000000000'],
    ['PERFMON', 'td/attributes-mismatch', ATTRIBUTES, '0000001000000080'],
    ['no SEPT_VE_DISABLE', 'td/attributes-mismatch', ATTRIBUTES, '0000000000000000'],
    ['no SSE', 'td/xfam-required-bits', XFAM, 'e502060000000000'],
    ['no x87', 'td/xfam-required-bits', XFAM, 'e602060000000000'],
    ['state that no TD has', 'td/xfam-reserved-bits', XFAM, 'ef02060000000000'],
    ['a high bit of state', 'td/xfam-reserved-bits', XFAM, 'e702060000000080'],
    ['more state', 'td/xfam-mismatch', XFAM, 'e71a060000000000'],
    ['less state', 'td/xfam-mismatch', XFAM, '0300000000000000'],
    ['another module', 'td/module-not-accepted', 16, 'a6'],
    ['a configuration', 'td/config-id-mismatch', 184, '01'],
    ['an owner', 'td/owner-mismatch', 232, '01'],
    ['an owner’s configuration', 'td/owner-config-mismatch', 327, '01'],
    ['something in RTMR3', 'td/rtmr3-set', 519, '01'],
  ])('with %s is refused: %s', (_, code, offset, hex) => {
    expect(patched(offset, Buffer.from(hex, 'hex'))).toBe(code)
    expect(patched(offset, Buffer.from(hex, 'hex'), 5)).toBe(code)
  })

  it('must match the policy', () => {
    expect(asked({ tdAttributes: '0000005000000000' })).toBe('td/attributes-mismatch')
    expect(
      asked({ tdAttributes: '0000005000000000' }, ATTRIBUTES, Buffer.from('0000005000000000', 'hex')),
    ).toBe('good')
    expect(asked({ xfam: 'e71a060000000000' }, XFAM, Buffer.from('e71a060000000000', 'hex'))).toBe('good')
    expect(asked({ mrSeam: ['00'.repeat(48), MR_SEAM] })).toBe('good')
    expect(asked({ mrSeam: [] })).toBe('td/module-not-accepted')
    expect(asked({ mrConfigId: '01'.repeat(48) })).toBe('td/config-id-mismatch')
    expect(asked({ mrConfigId: '01'.repeat(48) }, 184, Buffer.alloc(48, 1))).toBe('good')
  })

  it('is refused with attributes that no policy can require', () => {
    expect(asked({ tdAttributes: '0100001000000000' }, ATTRIBUTES, Buffer.of(1))).toBe('td/debug')
    expect(
      asked({ tdAttributes: '0000003000000000' }, ATTRIBUTES, Buffer.from('0000003000000000', 'hex')),
    ).toBe('td/attributes-reserved-bits')
    expect(asked({ xfam: 'ef02060000000000' }, XFAM, Buffer.from('ef02', 'hex'))).toBe(
      'td/xfam-reserved-bits',
    )
  })

  it('must meet the minimum in each component', () => {
    const floor = (minimumTeeTcbSvn: string) => asked({ minimumTeeTcbSvn })
    expect(floor('05010200000000000000000000000000')).toBe('good')
    expect(floor('00000000000000000000000000000000')).toBe('good')
    expect(floor('06000000000000000000000000000000')).toBe('td/tcb-below-floor')
    expect(floor('05020000000000000000000000000000')).toBe('td/tcb-below-floor')
    expect(floor('05010200000000000000000000000001')).toBe('td/tcb-below-floor')
  })

  it('of TDX 1.5 must meet the minimum now and at its start, and have no service TD', () => {
    expect(patched(584, Buffer.from('04', 'hex'), 5)).toBe('td/tcb-below-floor')
    expect(patched(600, Buffer.of(1), 5)).toBe('td/service-td')
    expect(patched(647, Buffer.of(1), 5)).toBe('td/service-td')
  })
})

it('is refused without an exception, for any input', () => {
  const input = intel.input()
  for (const quote of [Buffer.alloc(0), Buffer.alloc(5000), Buffer.alloc(5000, 0xff), Buffer.from('quote')])
    expect(endOf({ ...input, quote })).toMatch(/^quote\//)
  expect(endOf({ ...input, now: Number.NaN })).not.toBe('good')
  expect(endOf({ ...input, now: 0 })).toBe('intel/root-invalid')
  expect(endOf({ ...input, now: Infinity })).toBe('intel/root-invalid')
})

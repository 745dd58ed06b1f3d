import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../../src/shared/policy/attestation-policy.ts'
import {
  DocumentError,
  documentSteps,
  MAX_EVIDENCE_BYTES,
  unpackReport,
} from '../../src/verifier/document.ts'
import { AWS_NITRO_ENCLAVE_V1, SEV_SNP_GUEST_V2, TDX_GUEST_V2 } from '../../src/verifier/measurement.ts'

const REPORT_BYTES = 1184
const report = randomBytes(REPORT_BYTES)
const body = gzipSync(report).toString('base64')
const sound = {
  domain: 'enclave.example',
  enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body },
  digest: 'ab'.repeat(32),
  sigstoreBundle: { anything: [1, 2, 3] },
  vcek: Buffer.from('a certificate').toString('base64'),
  enclaveCert: 'a PEM',
}

const read = (evidence: Uint8Array | string, accepted: readonly Platform[] = ['sevSnp']) =>
  documentSteps.verify({
    evidence: typeof evidence === 'string' ? Buffer.from(evidence) : evidence,
    accepted,
  })
const codeOf = (evidence: Uint8Array | string, accepted?: readonly Platform[]) => {
  const result = read(evidence, accepted)
  return result.good ? 'good' : result.failure.code
}
const changed = (changes: object) => codeOf(JSON.stringify({ ...sound, ...changes }))

it('reads every part of the bundle', () => {
  const result = read(JSON.stringify(sound))
  expect(result).toMatchObject({
    good: true,
    value: {
      document: {
        platform: 'sevSnp',
        collateral: {},
        domain: 'enclave.example',
        format: SEV_SNP_GUEST_V2,
        body,
        report,
        release: { digest: 'ab'.repeat(32), sigstoreBundle: { anything: [1, 2, 3] } },
        vcek: Buffer.from('a certificate'),
        enclaveCertificate: 'a PEM',
      },
    },
  })
})

it('ignores members that it doesn’t know', () => {
  expect(changed({ gpu: { evidence: 'x' } })).toBe('good')
})

describe('refuses', () => {
  it.each<[string, () => Uint8Array | string]>([
    ['no JSON', () => 'hello'],
    ['nothing', () => ''],
    ['a list', () => JSON.stringify([sound])],
    ['null', () => 'null'],
    ['a byte order mark', () => `\ufeff${JSON.stringify(sound)}`],
    [
      'bytes that are not UTF-8',
      () =>
        Buffer.concat([
          Buffer.from('{"domain":"'),
          Buffer.of(0xff),
          Buffer.from(JSON.stringify(sound).slice(11)),
        ]),
    ],
    ['two documents', () => JSON.stringify(sound).repeat(2)],
    ['a member twice', () => JSON.stringify(sound).replace('{', '{"domain":"other.example",')],
    [
      'a member twice, spelled in two ways',
      () => JSON.stringify(sound).replace('{', '{"d\\u006fmain":"other.example",'),
    ],
    [
      'a member twice inside the Sigstore bundle',
      () => JSON.stringify(sound).replace('"anything"', '"anything":1,"anything"'),
    ],
    ['deep nesting', () => `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['deep nesting that never ends', () => '{"a":'.repeat(40_000)],
  ])('%s', (_, evidence) => {
    expect(codeOf(evidence())).toBe('evidence/malformed')
  })

  it.each(['domain', 'enclaveAttestationReport', 'digest', 'sigstoreBundle', 'vcek', 'enclaveCert'])(
    'a document without %s, or with it as a number',
    (member) => {
      expect(changed({ [member]: undefined })).toBe('evidence/malformed')
      if (member !== 'sigstoreBundle') expect(changed({ [member]: 7 })).toBe('evidence/malformed')
    },
  )

  it('a report without format or body', () => {
    expect(changed({ enclaveAttestationReport: { body } })).toBe('evidence/malformed')
    expect(changed({ enclaveAttestationReport: { format: SEV_SNP_GUEST_V2 } })).toBe('evidence/malformed')
    expect(changed({ enclaveAttestationReport: [] })).toBe('evidence/malformed')
  })

  it('a digest in another form', () => {
    for (const digest of ['AB'.repeat(32), 'ab'.repeat(31), 'sha256:ab', ''])
      expect(changed({ digest })).toBe('evidence/malformed')
  })

  it('base64 in another form', () => {
    for (const vcek of ['YWI', 'YWI=\n', ' YWI=', 'YWJ=', 'YW-_', '%%%%'])
      expect(changed({ vcek })).toBe('evidence/malformed')
  })

  it('a format of another platform, even if other parts are missing', () => {
    for (const format of [
      'https://tinfoil.sh/predicate/sev-snp-guest/v1',
      TDX_GUEST_V2,
      AWS_NITRO_ENCLAVE_V1,
      `${SEV_SNP_GUEST_V2}/`,
      '',
    ]) {
      expect(changed({ enclaveAttestationReport: { format, body } })).toBe('evidence/format-unsupported')
    }
    expect(
      changed({
        enclaveAttestationReport: { format: 'https://tinfoil.sh/predicate/attestation/v3', body },
        vcek: undefined,
        digest: undefined,
      }),
    ).toBe('evidence/format-unsupported')
    expect(codeOf(JSON.stringify(sound), ['tdx', 'nitro'])).toBe('evidence/format-unsupported')
    expect(codeOf(JSON.stringify(sound), [])).toBe('evidence/format-unsupported')
  })

  it('parts, and a whole document, that are too large', () => {
    expect(changed({ domain: 'a'.repeat(254) })).toBe('evidence/too-large')
    expect(changed({ vcek: 'A'.repeat(16_388) })).toBe('evidence/too-large')
    expect(changed({ enclaveCert: 'A'.repeat(32_769) })).toBe('evidence/too-large')
    expect(changed({ enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body: 'A'.repeat(3400) } })).toBe(
      'evidence/too-large',
    )
    expect(codeOf(Buffer.alloc(MAX_EVIDENCE_BYTES, ' '))).toBe('evidence/malformed')
    expect(codeOf(Buffer.alloc(MAX_EVIDENCE_BYTES + 1, ' '))).toBe('evidence/too-large')
    expect(codeOf(Buffer.alloc(50_000_000, '['))).toBe('evidence/too-large')
  })
})

describe('on the other platforms', () => {
  const quote = randomBytes(5006)
  const { vcek: _vcek, digest: _digest, sigstoreBundle: _bundle, ...bare } = sound
  const packed = gzipSync(quote).toString('base64')
  const tdx = { ...sound, vcek: undefined, enclaveAttestationReport: { format: TDX_GUEST_V2, body: packed } }
  const nitro = { ...bare, enclaveAttestationReport: { format: AWS_NITRO_ENCLAVE_V1, body: packed } }

  it('reads a quote without a chip’s certificate, and a Nitro document without a release', () => {
    const read1 = read(JSON.stringify(tdx), ['tdx'])
    expect(read1).toMatchObject({
      good: true,
      value: { document: { platform: 'tdx', report: quote, release: { digest: 'ab'.repeat(32) } } },
    })
    const read2 = read(JSON.stringify(nitro), ['sevSnp', 'nitro'])
    expect(read2).toMatchObject({ good: true, value: { document: { platform: 'nitro', report: quote } } })
  })

  it('refuses a quote without a release', () => {
    expect(codeOf(JSON.stringify({ ...tdx, digest: undefined }), ['tdx'])).toBe('evidence/malformed')
    expect(codeOf(JSON.stringify({ ...tdx, sigstoreBundle: undefined }), ['tdx'])).toBe('evidence/malformed')
  })

  it('unpacks no further than the maximum size of a quote', () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1024 + 1)).toString('base64')
    expect(
      codeOf(JSON.stringify({ ...tdx, enclaveAttestationReport: { format: TDX_GUEST_V2, body: bomb } }), [
        'tdx',
      ]),
    ).toBe('evidence/too-large')
  })
})

describe('collateral', () => {
  const FORMATS = 'https://tinfoil.sh/collateral/'
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const crl = {
    id: 'amd',
    role: 'endorsement',
    format: `${FORMATS}amd-crl/v1`,
    data: { crl_der_base64: base64('a list') },
  }
  const pcs = {
    id: 'intel',
    role: 'endorsement',
    format: `${FORMATS}intel-pcs/v1`,
    data: {
      responses: [
        {
          url: 'https://intel.example/x',
          headers: { 'TCB-Info-Issuer-Chain': ['a chain'], date: 'now' },
          body_base64: base64('{}'),
        },
      ],
    },
  }
  const hardware = {
    id: 'hardware',
    role: 'reference-values',
    format: `${FORMATS}sigstore-platform/v1`,
    subjects: ['cpu'],
    data: { repo: 'a/b', tag: 'v1', digest: 'cd'.repeat(32), sigstore_bundle: { more: [1] } },
  }
  const other = { id: 'gpu', role: 'endorsement', format: `${FORMATS}nvidia-gpu/v1`, data: [1, 2] }
  const collateralOf = (collateral: unknown) => {
    const result = read(JSON.stringify({ ...sound, collateral }))
    return result.good ? result.value.document.collateral : result.failure.code
  }

  it('is read by format, and unknown formats are ignored', () => {
    expect(collateralOf([])).toEqual({})
    expect(collateralOf([other, crl, pcs, hardware])).toEqual({
      amdCrl: Buffer.from('a list'),
      intelPcs: [
        {
          url: 'https://intel.example/x',
          headers: { 'tcb-info-issuer-chain': 'a chain', date: 'now' },
          body: Buffer.from('{}'),
        },
      ],
      hardwareStatement: {
        repository: 'a/b',
        tag: 'v1',
        digest: 'cd'.repeat(32),
        sigstoreBundle: { more: [1] },
      },
    })
  })

  it.each<[string, unknown]>([
    ['no list', {}],
    ['an id twice', [crl, { ...pcs, id: 'amd' }]],
    ['an id twice, of what is not understood', [other, { ...other, format: 'x' }]],
    ['a format twice', [crl, { ...crl, id: 'amd-2' }]],
    ['no id', [{ ...crl, id: undefined }]],
    ['another role', [{ ...crl, role: 'witness' }]],
    ['another shape', [{ ...crl, data: {} }]],
    ['base64 in another form', [{ ...crl, data: { crl_der_base64: 'YWJ=' } }]],
    [
      'a header that is none',
      [{ ...pcs, data: { responses: [{ url: '', headers: { a: [] }, body_base64: '' }] } }],
    ],
    [
      'a header in two spellings',
      [{ ...pcs, data: { responses: [{ url: '', headers: { A: 'x', a: 'x' }, body_base64: '' }] } }],
    ],
    ['a digest in another form', [{ ...hardware, data: { ...hardware.data, digest: 'CD'.repeat(32) } }]],
    ['a large list', Array.from({ length: 17 }, (_, index) => ({ ...other, id: String(index) }))],
    [
      'a large header',
      [
        {
          ...pcs,
          data: { responses: [{ url: '', headers: { a: 'x'.repeat(16 * 1024 + 1) }, body_base64: '' }] },
        },
      ],
    ],
  ])('is refused with %s', (_what, collateral) => {
    expect(collateralOf(collateral)).toBe('evidence/malformed')
  })
})

describe('the packed report', () => {
  const codeOfBody = (packed: Uint8Array) => {
    try {
      return unpackReport(Buffer.from(packed).toString('base64'), REPORT_BYTES).length
    } catch (error) {
      if (error instanceof DocumentError) return error.code
      throw error
    }
  }

  it('unpacks to a report, or to a shorter one that a later check refuses', () => {
    expect(unpackReport(body, REPORT_BYTES)).toEqual(report)
    expect(codeOfBody(gzipSync(report.subarray(1)))).toBe(1183)
    expect(codeOfBody(gzipSync(''))).toBe(0)
  })

  it('unpacks no further than its limit, and refuses a decompression bomb', () => {
    expect(codeOfBody(gzipSync(Buffer.alloc(1185)))).toBe('evidence/too-large')
    expect(codeOfBody(gzipSync(Buffer.alloc(2_000_000)))).toBe('evidence/too-large')
    expect(codeOfBody(gzipSync(Buffer.alloc(200_000_000)))).toBe('evidence/too-large')
  })

  it('is one complete gzip member, with nothing after it', () => {
    const packed = gzipSync(report)
    expect(codeOfBody(packed.subarray(0, -1))).toBe('evidence/malformed')
    expect(codeOfBody(packed.subarray(1))).toBe('evidence/malformed')
    expect(codeOfBody(Buffer.concat([packed, Buffer.of(0)]))).toBe('evidence/malformed')
    expect(codeOfBody(Buffer.concat([packed, Buffer.from('garbage after the member')]))).toBe(
      'evidence/malformed',
    )
    expect(
      codeOfBody(Buffer.concat([gzipSync(report.subarray(0, 600)), gzipSync(report.subarray(600))])),
    ).toBe('evidence/malformed')
    expect(codeOfBody(report)).toBe('evidence/malformed')
    expect(codeOfBody(new Uint8Array())).toBe('evidence/malformed')
  })
})

it('ends with a known code for any input', () => {
  const known = ['good', 'evidence/malformed', 'evidence/too-large', 'evidence/format-unsupported']
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (evidence) => {
      expect(known).toContain(codeOf(evidence))
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.json({ maxDepth: 3 }), (whole, part) => {
      expect(known).toContain(codeOf(whole))
      for (const member of Object.keys(sound))
        expect(known).toContain(changed({ [member]: JSON.parse(part) as unknown }))
    }),
    { numRuns: 200 },
  )
})

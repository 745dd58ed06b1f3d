import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runStage } from '../../../src/core/attestation/checklist.ts'
import { DocumentError, documentPlan, MAX_EVIDENCE_BYTES, readDocument, SEV_SNP_GUEST_V2, unpackReport } from '../../../src/core/attestation/document.ts'

const report = randomBytes(1184)
const body = gzipSync(report).toString('base64')
const sound = {
  domain: 'enclave.example',
  enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body },
  digest: 'ab'.repeat(32),
  sigstoreBundle: { anything: [1, 2, 3] },
  vcek: Buffer.from('a certificate').toString('base64'),
  enclaveCert: 'a PEM',
}

const read = (evidence: Uint8Array | string) => runStage(documentPlan, (checks) => readDocument(checks, typeof evidence === 'string' ? Buffer.from(evidence) : evidence))
const codeOf = (evidence: Uint8Array | string) => {
  const result = read(evidence)
  return result.good ? 'good' : result.failure.code
}
const changed = (changes: object) => codeOf(JSON.stringify({ ...sound, ...changes }))

it('reads every part of the bundle', () => {
  const result = read(JSON.stringify(sound))
  expect(result).toMatchObject({
    good: true,
    value: {
      domain: 'enclave.example', format: SEV_SNP_GUEST_V2, body, report, digest: 'ab'.repeat(32), sigstoreBundle: { anything: [1, 2, 3] },
      vcek: Buffer.from('a certificate'), enclaveCertificate: 'a PEM',
    },
  })
})

it('does not read members beside them', () => {
  expect(changed({ gpu: { evidence: 'x' } })).toBe('good')
})

describe('refuses', () => {
  it.each<[string, () => Uint8Array | string]>([
    ['no JSON', () => 'hello'],
    ['nothing', () => ''],
    ['a list', () => JSON.stringify([sound])],
    ['null', () => 'null'],
    ['a byte order mark', () => `\ufeff${JSON.stringify(sound)}`],
    ['bytes that are not UTF-8', () => Buffer.concat([Buffer.from('{"domain":"'), Buffer.of(0xff), Buffer.from(JSON.stringify(sound).slice(11))])],
    ['two documents', () => JSON.stringify(sound).repeat(2)],
    ['a member twice', () => JSON.stringify(sound).replace('{', '{"domain":"other.example",')],
    ['a member twice, spelled in two ways', () => JSON.stringify(sound).replace('{', '{"d\\u006fmain":"other.example",')],
    ['a member twice inside the Sigstore bundle', () => JSON.stringify(sound).replace('"anything"', '"anything":1,"anything"')],
    ['deep nesting', () => `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['deep nesting that never ends', () => '{"a":'.repeat(40_000)],
  ])('%s', (_, evidence) => {
    expect(codeOf(evidence())).toBe('evidence/malformed')
  })

  it.each(['domain', 'enclaveAttestationReport', 'digest', 'sigstoreBundle', 'vcek', 'enclaveCert'])('a document without %s, or with it as a number', (member) => {
    expect(changed({ [member]: undefined })).toBe('evidence/malformed')
    if (member !== 'sigstoreBundle') expect(changed({ [member]: 7 })).toBe('evidence/malformed')
  })

  it('a report without format or body', () => {
    expect(changed({ enclaveAttestationReport: { body } })).toBe('evidence/malformed')
    expect(changed({ enclaveAttestationReport: { format: SEV_SNP_GUEST_V2 } })).toBe('evidence/malformed')
    expect(changed({ enclaveAttestationReport: [] })).toBe('evidence/malformed')
  })

  it('a digest in another form', () => {
    for (const digest of ['AB'.repeat(32), 'ab'.repeat(31), 'sha256:ab', '']) expect(changed({ digest })).toBe('evidence/malformed')
  })

  it('base64 in another form', () => {
    for (const vcek of ['YWI', 'YWI=\n', ' YWI=', 'YWJ=', 'YW-_', '%%%%']) expect(changed({ vcek })).toBe('evidence/malformed')
  })

  it('another format than SEV-SNP version 2', () => {
    for (const format of ['https://tinfoil.sh/predicate/sev-snp-guest/v1', 'https://tinfoil.sh/predicate/tdx-guest/v2', `${SEV_SNP_GUEST_V2}/`, '']) {
      expect(changed({ enclaveAttestationReport: { format, body } })).toBe('evidence/format-unsupported')
    }
  })

  it('parts, and the whole, that are too large', () => {
    expect(changed({ domain: 'a'.repeat(254) })).toBe('evidence/too-large')
    expect(changed({ vcek: 'A'.repeat(16_388) })).toBe('evidence/too-large')
    expect(changed({ enclaveCert: 'A'.repeat(32_769) })).toBe('evidence/too-large')
    expect(changed({ enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body: 'A'.repeat(4100) } })).toBe('evidence/too-large')
    expect(codeOf(Buffer.alloc(MAX_EVIDENCE_BYTES, ' '))).toBe('evidence/malformed')
    expect(codeOf(Buffer.alloc(MAX_EVIDENCE_BYTES + 1, ' '))).toBe('evidence/too-large')
    expect(codeOf(Buffer.alloc(50_000_000, '['))).toBe('evidence/too-large')
  })
})

describe('the packed report', () => {
  const codeOfBody = (packed: Uint8Array) => {
    try {
      return unpackReport(Buffer.from(packed).toString('base64')).length
    } catch (error) {
      if (error instanceof DocumentError) return error.code
      throw error
    }
  }

  it('unpacks to a report, or to less, which is for the report to refuse', () => {
    expect(unpackReport(body)).toEqual(report)
    expect(codeOfBody(gzipSync(report.subarray(1)))).toBe(1183)
    expect(codeOfBody(gzipSync(''))).toBe(0)
  })

  it('unpacks no further: a bomb is refused while it is small', () => {
    expect(codeOfBody(gzipSync(Buffer.alloc(1185)))).toBe('evidence/too-large')
    expect(codeOfBody(gzipSync(Buffer.alloc(2_000_000)))).toBe('evidence/too-large')
    expect(codeOfBody(gzipSync(Buffer.alloc(200_000_000)))).toBe('evidence/too-large')
  })

  it('is one gzip member, whole, with nothing after it', () => {
    const packed = gzipSync(report)
    expect(codeOfBody(packed.subarray(0, -1))).toBe('evidence/malformed')
    expect(codeOfBody(packed.subarray(1))).toBe('evidence/malformed')
    expect(codeOfBody(Buffer.concat([packed, Buffer.of(0)]))).toBe('evidence/malformed')
    expect(codeOfBody(Buffer.concat([packed, Buffer.from('garbage after the member')]))).toBe('evidence/malformed')
    expect(codeOfBody(Buffer.concat([gzipSync(report.subarray(0, 600)), gzipSync(report.subarray(600))]))).toBe('evidence/malformed')
    expect(codeOfBody(report)).toBe('evidence/malformed')
    expect(codeOfBody(new Uint8Array())).toBe('evidence/malformed')
  })
})

it('comes to an end with a code, whatever it is given', () => {
  const known = ['good', 'evidence/malformed', 'evidence/too-large', 'evidence/format-unsupported']
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (evidence) => {
    expect(known).toContain(codeOf(evidence))
  }), { numRuns: 300 })
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), fc.json({ maxDepth: 3 }), (whole, part) => {
    expect(known).toContain(codeOf(whole))
    for (const member of Object.keys(sound)) expect(known).toContain(changed({ [member]: JSON.parse(part) as unknown }))
  }), { numRuns: 200 })
})

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64 } from '../../src/verifier/base64.ts'
import { CborError, decodeCbor, type CborMap, type CborValue } from '../../src/verifier/cbor/index.ts'
import { DerError, DerReader } from '../../src/verifier/der/index.ts'
import {
  DocumentError,
  documentSteps,
  MAX_EVIDENCE_BYTES,
  unpackReport,
} from '../../src/verifier/document.ts'
import { SEV_SNP_GUEST_V2 } from '../../src/verifier/measurement.ts'
import {
  CoseError,
  NitroDocumentError,
  readCoseSign1,
  readNitroDocument,
} from '../../src/verifier/nitro/index.ts'
import { verifyNitroDocument } from '../verifier/nitro/verify-document.ts'
import { parseReport, REPORT_BYTES, ReportError } from '../../src/verifier/sev-snp/index.ts'
import {
  CertificateError,
  certificatesFromPem,
  parseCertificate,
  parseCrl,
} from '../../src/verifier/x509/index.ts'
import { platforms } from '../../src/shared/policy/attestation-policy.ts'
import { parseStrictJson, StrictJsonError } from '../../src/shared/strict-json.ts'
import { extension, pem } from '../../src/sandbox/der/certificate.ts'
import { integer } from '../../src/sandbox/der/der.ts'
import {
  chain,
  documentWith,
  inputWith,
  names,
  NOW,
  payloadWith,
  signers,
} from '../verifier/nitro/minted-document.ts'
import { mintedCrl, revokedEntry } from '../verifier/x509/minted-crl.ts'
import { edited, edits, fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'

/**
 * For any input, a parser of attestation either reads it or throws its own error. Its output is never larger than
 * the input allows.
 */

const report = (() => {
  const bytes = Buffer.alloc(REPORT_BYTES, 0x5a)
  for (const [start, end] of [
    [0x4c, 0x50],
    [0x18b, 0x1a0],
    [0x1eb, 0x1ec],
    [0x1ef, 0x1f0],
    [0x208, 0x2a0],
  ] as const)
    bytes.fill(0, start, end)
  bytes.writeUInt32LE(5, 0)
  bytes.writeUInt32LE(1, 0x34)
  return bytes
})()

it('SEV-SNP reports', () => {
  parseReport(report)
  fuzz(report, (input) => {
    const read = readOrRefuse(() => parseReport(input), ReportError)
    if (read) expect(read.bytes.length).toBe(REPORT_BYTES)
  })
  // Inputs of the right length, which random bytes almost never have.
  fc.assert(
    fc.property(
      fc.nat({ max: REPORT_BYTES - 8 }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      (at, bytes) => {
        const changed = Buffer.from(report)
        changed.set(bytes, at)
        readOrRefuse(() => parseReport(changed), ReportError)
      },
    ),
    { numRuns: parserRuns },
  )
})

it('DER', () => {
  const walk = (reader: DerReader): number => {
    let elements = 0
    while (!reader.atEnd()) {
      const tag = reader.nextTag
      elements += 1
      if (tag !== undefined && (tag & 0x20) !== 0) elements += walk(reader.enter(tag))
      else reader.any()
    }
    return elements
  }
  fuzz(chain.leaf, (input) => {
    const elements = readOrRefuse(() => walk(new DerReader(input)), DerError)
    // An element can't be shorter than its tag and length.
    expect(elements ?? 0).toBeLessThanOrEqual(input.length / 2)
  })
})

it('certificates', () => {
  fuzz(chain.leaf, (input) => void readOrRefuse(() => parseCertificate(input), CertificateError))
})

it('revocation lists', () => {
  const list = mintedCrl(
    {
      issuer: names.root,
      thisUpdate: NOW,
      nextUpdate: NOW + 1000,
      entries: [revokedEntry(5, NOW), revokedEntry(6, NOW)],
      extensions: [extension('2.5.29.20', integer(7))],
    },
    signers.root,
  )
  fuzz(list, (input) => {
    const read = readOrRefuse(() => parseCrl(input), CertificateError)
    expect(read?.revoked.size ?? 0).toBeLessThanOrEqual(input.length)
  })
})

it('PEM', () => {
  const text = Buffer.from(pem(chain.leaf))
  fuzz(text, (input) => {
    const read =
      readOrRefuse(() => certificatesFromPem(Buffer.from(input).toString('latin1')), CertificateError) ?? []
    expect(read.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(input.length)
  })
})

it('CBOR', () => {
  const sizeOf = (item: CborValue): number => {
    if (item instanceof Map)
      return [...(item as CborMap)].reduce((sum, [, value]) => sum + 1 + sizeOf(value), 1)
    return Array.isArray(item)
      ? (item as readonly CborValue[]).reduce<number>((sum, value) => sum + sizeOf(value), 1)
      : 1
  }
  fuzz(payloadWith(), (input) => {
    const item = readOrRefuse(() => decodeCbor(input, 18), CborError)
    if (item !== undefined) expect(sizeOf(item)).toBeLessThanOrEqual(input.length)
  })
})

it('COSE_Sign1', () => {
  fuzz(documentWith(), (input) => {
    const read = readOrRefuse(() => readCoseSign1(input), CoseError)
    expect(read ? read.payload.length + read.signature.length : 0).toBeLessThanOrEqual(input.length)
  })
})

it('Nitro documents', () => {
  fuzz(payloadWith(), (input) => {
    const read = readOrRefuse(() => readNitroDocument(input), NitroDocumentError)
    expect(read?.issuers.length ?? 0).toBeLessThanOrEqual(8)
    expect(read?.pcrs.size ?? 0).toBeLessThanOrEqual(32)
  })
})

it('packed reports', () => {
  fuzz(gzipSync(report), (input) => {
    const limit = input.length % 2 === 0 ? REPORT_BYTES : 16 * 1024
    const read = readOrRefuse(() => unpackReport(Buffer.from(input).toString('base64'), limit), DocumentError)
    expect(read?.length ?? 0).toBeLessThanOrEqual(limit)
  })
})

it('base64', () => {
  const text = Buffer.from(report.toString('base64'))
  fuzz(text, (input) => {
    const characters = Buffer.from(input).toString('latin1')
    const read = decodeBase64(characters)
    if (read) expect(read.toString('base64')).toBe(characters)
  })
  fc.assert(
    fc.property(fc.base64String({ maxLength: 200 }), (characters) => {
      expect(decodeBase64(characters)?.toString('base64')).toBe(
        characters.length % 4 === 0 && Buffer.from(characters, 'base64').toString('base64') === characters
          ? characters
          : undefined,
      )
    }),
    { numRuns: parserRuns },
  )
})

it('JSON', () => {
  const text = Buffer.from(
    JSON.stringify({
      a: [1, 2.5e3, -7, 'ü\u0061\\"', null, true],
      'b\u0000': { c: {}, d: [[]] },
      __proto__x: '',
    }),
  )
  fuzz(text, (input) => {
    const characters = Buffer.from(input).toString('utf8')
    const read = readOrRefuse(() => parseStrictJson(characters), StrictJsonError)
    if (read !== undefined) expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(characters)))
  })
})

it('evidence documents', () => {
  const known = ['evidence/malformed', 'evidence/too-large', 'evidence/format-unsupported']
  const genuine = Buffer.from(
    JSON.stringify({
      domain: 'enclave.example',
      enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body: gzipSync(report).toString('base64') },
      digest: 'ab'.repeat(32),
      sigstoreBundle: { a: [1] },
      vcek: 'AAAA',
      enclaveCert: 'a PEM',
      collateral: [
        {
          id: 'a',
          role: 'endorsement',
          format: 'https://tinfoil.sh/collateral/amd-crl/v1',
          data: { crl_der_base64: 'AAAA' },
        },
      ],
    }),
  )
  expect(genuine.length).toBeLessThan(MAX_EVIDENCE_BYTES)
  fuzz(genuine, (input) => {
    const result = documentSteps.verify({ evidence: input, accepted: platforms })
    if (!result.good) expect(known).toContain(result.failure.code)
  })
})

it('whole Nitro documents that were edited: refused by a code, and never good', () => {
  const genuine = documentWith()
  fc.assert(
    fc.property(edits, (changes) => {
      const document = edited(genuine, changes)
      const result = verifyNitroDocument(inputWith(document))
      if (result.good)
        expect(document.equals(genuine) || document.equals(Buffer.concat([Buffer.of(0xd2), genuine]))).toBe(
          true,
        )
      else expect(result.failure.code).toMatch(/^nitro\//)
    }),
    { numRuns: Math.ceil(parserRuns / 10) },
  )
})

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseReport } from '../../../src/verifier/sev-snp/report.ts'
import { isReportSignedBy } from '../../../src/verifier/sev-snp/chain.ts'
import { hashSections, reportDataOf } from '../../../src/verifier/v3/binding.ts'
import { readV3Document } from '../../../src/verifier/v3/document.ts'
import { directV3Steps } from '../../../src/verifier/v3/index.ts'
import { parseCertificate, publicKeyOf } from '../../../src/verifier/x509/index.ts'
import { builtInTrust, presetPolicy } from '../evidence-folder.ts'

/**
 * Computed without Sotto's code, from the text of the description: Python's `hashlib` and `json` for hashes and sections, OpenSSL for keys.
 *
 *     label = b'https://tinfoil.sh/report-data/v1'                             # 33 bytes
 *     preimage = label + nonce + sha256(crypto_material) + sha256(device_evidence)    # 129 bytes
 *     report_data = sha256(preimage) + bytes(32)
 *     tls = sha256(`openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER`)
 *
 * Of the genuine report, Python compared bytes 0x50 to 0x90 with that hash, and `openssl dgst -sha384 -verify` accepted the signature over
 * its first 0x2a0 bytes. `otherReportData` has near misses for the second binding, such as the order of June 2026 and of document v2.
 */
const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'))
const binding = z.object({
  name: z.string(),
  nonce: z.hex(),
  cryptoMaterial: z.string(),
  deviceEvidence: z.string(),
  cryptoMaterialHash: z.hex(),
  deviceEvidenceHash: z.hex(),
  reportData: z.hex(),
})
type Binding = z.infer<typeof binding>
const { bindings, genuineReport, otherReportData, tlsKeys } = z
  .object({
    bindings: z.tuple([binding, binding], binding),
    genuineReport: z.object({ report: base64, certificate: base64 }),
    otherReportData: z.array(z.object({ name: z.string(), reportData: z.hex() })),
    tlsKeys: z.array(z.object({ name: z.string(), certificate: base64, fingerprint: z.hex() })),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'known-answers.json'), 'utf8')))
const [genuine, compact] = bindings

const sectionsOf = ({ cryptoMaterial, deviceEvidence }: Binding) => ({
  cryptoMaterial: Buffer.from(cryptoMaterial),
  deviceEvidence: Buffer.from(deviceEvidence),
})

/** A document with these sections and no collateral, so that a right binding is refused at the next step. */
function documentOf(answer: Binding, report: Buffer = Buffer.alloc(1184)): Buffer {
  const { cryptoMaterial, deviceEvidence } = sectionsOf(answer)
  return Buffer.from(
    JSON.stringify({
      format: 'https://tinfoil.sh/predicate/attestation/v3',
      challenge: {
        nonce: answer.nonce,
        report_data: answer.reportData,
        report_data_algorithm: 'https://tinfoil.sh/report-data/v1',
      },
      cpu_evidence: {
        format: 'https://tinfoil.sh/format/sev-snp-report/v1',
        report_base64: report.toString('base64'),
        endorsed: {
          crypto_material_hash: answer.cryptoMaterialHash,
          device_evidence_hash: answer.deviceEvidenceHash,
        },
      },
      crypto_material: cryptoMaterial.toString('base64'),
      device_evidence: deviceEvidence.toString('base64'),
      collateral: [],
    }),
  )
}

function failureOf(answer: Binding): unknown {
  const result = directV3Steps.verify({
    document: documentOf(answer),
    nonce: Buffer.from(answer.nonce, 'hex'),
    trust: builtInTrust,
    policy: presetPolicy(),
    now: Date.UTC(2026, 7, 15),
  })
  return result.good ? undefined : result.failure
}

describe.each(bindings)('$name', (answer) => {
  test('sections, nonce and report data', () => {
    const hashes = hashSections({ sections: sectionsOf(answer) })
    expect(hashes).toEqual({
      cryptoMaterial: answer.cryptoMaterialHash,
      deviceEvidence: answer.deviceEvidenceHash,
    })
    expect(reportDataOf(Buffer.from(answer.nonce, 'hex'), hashes)).toBe(answer.reportData)
  })

  test('a document with them passes the binding', () => {
    expect(failureOf(answer)).toEqual({ step: 'v3/code', code: 'collateral/missing' })
  })
})

test.each(otherReportData)('another construction is refused: $name', ({ reportData }) => {
  expect(failureOf({ ...compact, reportData })).toEqual({
    step: 'v3/hashes',
    code: 'envelope/report-data-mismatch',
  })
})

test('the genuine report has these bytes, signed by AMD’s chip', () => {
  const { report } = readV3Document(documentOf(genuine, genuineReport.report))
  expect(Buffer.from(parseReport(report).reportData).toString('hex')).toBe(genuine.reportData)
  const key = publicKeyOf(parseCertificate(genuineReport.certificate))
  if (!key) throw new Error('no key')
  expect(isReportSignedBy(report, key)).toBe(true)
  for (const at of [0x50, 0x6f, 0x8f]) {
    const changed = Buffer.from(report)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(isReportSignedBy(changed, key)).toBe(false)
  }
})

test.each(tlsKeys)('the fingerprint of a $name key', ({ certificate, fingerprint }) => {
  expect(hash('sha256', parseCertificate(certificate).publicKeyInfo, 'hex')).toBe(fingerprint)
})

import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashSections, reportDataOf } from '../../../src/verifier/v3/binding.ts'
import { reportData as mintedReportData } from '../../../src/sandbox/world/v3/document.ts'
import { createEnclave, NONCE, type Enclave } from './verified-documents.ts'
import { edited, textOf, toJson, type Path } from './json-edits.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave('sev-snp')
})

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const LABEL = Buffer.from('https://tinfoil.sh/report-data/v1', 'ascii')

test('the worked example of the genuine router', () => {
  const sections = {
    cryptoMaterial: Buffer.from(
      '{"format":"https://tinfoil.sh/crypto-material/v1","items":[{"id":"tls","format":"https://tinfoil.sh/key/spki-fp-sha256/v1","data":"198c3340b8b007efdb5aa9b2bff68eb6776c4710f0731121f195c65e6410c232"},{"id":"hpke","format":"https://tinfoil.sh/key/x25519-hpke/v1","data":"4539df144c761e852824083b1e0e23026ab8fec4fa0612ca16b2672a7a45983e"}]}',
    ),
    deviceEvidence: Buffer.from('{"format":"https://tinfoil.sh/device-evidence/v1","items":[]}'),
  }
  const hashes = hashSections({ sections })
  expect(hashes).toEqual({
    cryptoMaterial: '161dd32bae638bb575b6f0216526d23f57aa71e0faa8b8e5b486bf9774407b80',
    deviceEvidence: '5e84f632e01293bff4596cf72c45de0f9e1037e5cda3232b850c478d1a6b592b',
  })
  expect(reportDataOf(NONCE, hashes)).toBe(
    `27c73cd5018258fd54c59053915cd1d22e2824de00504cf5a69a598a842b719b${'00'.repeat(32)}`,
  )
})

/** The sections of a good document. */
function sections(): { cryptoMaterial: Buffer; deviceEvidence: Buffer } {
  const document = toJson(enclave.mint().toString())
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('no document')
  const section = (name: string) => Buffer.from(textOf(document[name]), 'base64')
  return { cryptoMaterial: section('crypto_material'), deviceEvidence: section('device_evidence') }
}

describe('what the document states', () => {
  const changed = (path: Path, change: (old: string) => string) =>
    enclave.verify(
      Buffer.from(
        JSON.stringify(edited(toJson(enclave.mint().toString()), path, (old) => change(textOf(old)))),
      ),
    )
  const oneBit = (text: string) =>
    hex(Buffer.from(text, 'hex').map((byte, index) => (index === 0 ? byte ^ 1 : byte)))
  const withSpace = (text: string) =>
    Buffer.from(Buffer.from(text, 'base64').toString().replace(':', ': ')).toString('base64')

  test.each<[string, Path, (old: string) => string, string]>([
    ['the nonce in one bit', ['challenge', 'nonce'], oneBit, 'v3/nonce envelope/nonce-mismatch'],
    [
      'the keys with one more space',
      ['crypto_material'],
      withSpace,
      'v3/hashes envelope/section-hash-mismatch',
    ],
    [
      'the devices with one more space',
      ['device_evidence'],
      withSpace,
      'v3/hashes envelope/section-hash-mismatch',
    ],
    [
      'the hash of the keys',
      ['cpu_evidence', 'endorsed', 'crypto_material_hash'],
      oneBit,
      'v3/hashes envelope/section-hash-mismatch',
    ],
    [
      'the hash of the devices',
      ['cpu_evidence', 'endorsed', 'device_evidence_hash'],
      oneBit,
      'v3/hashes envelope/section-hash-mismatch',
    ],
    [
      'the report data in one bit',
      ['challenge', 'report_data'],
      oneBit,
      'v3/hashes envelope/report-data-mismatch',
    ],
    [
      'the second half of the report data',
      ['challenge', 'report_data'],
      (old) => `${old.slice(0, -2)}01`,
      'v3/hashes envelope/report-data-mismatch',
    ],
  ])('%s', (_, path, change, refused) => {
    expect(changed(path, change)).toEqual({ refused })
  })

  test('both hashes exchanged', () => {
    const document = toJson(enclave.mint().toString())
    const swapped = edited(document, ['cpu_evidence', 'endorsed'], (old) => {
      if (typeof old !== 'object' || old === null || Array.isArray(old)) throw new Error('no hashes')
      return {
        crypto_material_hash: old['device_evidence_hash'] ?? null,
        device_evidence_hash: old['crypto_material_hash'] ?? null,
      }
    })
    expect(enclave.verify(Buffer.from(JSON.stringify(swapped)))).toEqual({
      refused: 'v3/hashes envelope/section-hash-mismatch',
    })
  })
})

describe('what the hardware signed', () => {
  test('another nonce', () => {
    const reportNonce = Buffer.from(NONCE)
    reportNonce.writeUInt8(reportNonce.readUInt8(31) ^ 0x80, 31)
    expect(enclave.verdict({ reportNonce })).toEqual({ refused: 'v3/signed envelope/report-data-mismatch' })
  })

  test.each<[string, (keys: Buffer, devices: Buffer) => Buffer]>([
    [
      'one more bit in the second half',
      (keys, devices) =>
        Buffer.concat([mintedReportData(NONCE, keys, devices).subarray(0, 63), Buffer.of(1)]),
    ],
    ['nonce and hash exchanged', (keys, devices) => sha256(LABEL, sha256(keys), NONCE, sha256(devices))],
    ['the hashes exchanged', (keys, devices) => sha256(LABEL, NONCE, sha256(devices), sha256(keys))],
    ['no label', (keys, devices) => sha256(NONCE, sha256(keys), sha256(devices))],
    [
      'a label with an end mark',
      (keys, devices) => sha256(LABEL, Buffer.of(0), NONCE, sha256(keys), sha256(devices)),
    ],
    ['no nonce', (keys, devices) => sha256(LABEL, sha256(keys), sha256(devices))],
    ['the sections in place of their hashes', (keys, devices) => sha256(LABEL, NONCE, keys, devices)],
    ['zeros', () => Buffer.alloc(32)],
    [
      'the keys themselves, as document v2 has them',
      () => Buffer.concat([enclave.relayed.keys.tlsKeyFingerprint, enclave.relayed.keys.hpkePublicKey]),
    ],
  ])('%s', (_, bind) => {
    const { cryptoMaterial, deviceEvidence } = sections()
    const reportData = Buffer.alloc(64)
    reportData.set(bind(cryptoMaterial, deviceEvidence))
    expect(enclave.verdict({ reportData })).toEqual({ refused: 'v3/signed envelope/report-data-mismatch' })
  })

  test('the report of another answer', async () => {
    const [report, document] = [enclave.mint({ nonce: Buffer.alloc(32, 3) }), enclave.mint()].map((bytes) =>
      toJson(bytes.toString()),
    )
    if (typeof report !== 'object' || report === null || Array.isArray(report) || document === undefined)
      throw new Error('no documents')
    const replayed = edited(document, ['cpu_evidence'], () => report['cpu_evidence'] ?? null)
    expect(enclave.verify(Buffer.from(JSON.stringify(replayed)))).toEqual({
      refused: 'v3/signed envelope/report-data-mismatch',
    })
    expect((await createEnclave('tdx')).verdict({ reportNonce: Buffer.alloc(32, 3) })).toEqual({
      refused: 'v3/signed envelope/report-data-mismatch',
    })
  })
})

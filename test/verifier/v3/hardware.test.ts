import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DocumentRequest } from '../../../src/sandbox/world/v3/document.ts'
import { askSerial } from '../../../src/sandbox/world/amd.ts'
import { isJsonObject, type JsonValue } from '../../../src/verifier/strict-json.ts'
import { createEnclave, DAY, NOW, sandboxPolicy, type Enclave } from './verified-documents.ts'
import { edited, textOf, toJson, type Path } from './json-edits.ts'

let sev: Enclave
let tdx: Enclave
beforeAll(async () => {
  ;[sev, tdx] = [await createEnclave('sev-snp'), await createEnclave('tdx')]
})

const refusedAtHardware = (code: string) => ({ refused: `v3/hardware ${code}` })
const changed = (enclave: Enclave, path: Path, change: (old: JsonValue) => JsonValue) =>
  enclave.verify(Buffer.from(JSON.stringify(edited(toJson(enclave.mint().toString()), path, change))))
const REPORT: Path = ['cpu_evidence', 'report_base64']
const bytes = (change: (old: Buffer) => Uint8Array) => (old: JsonValue) =>
  Buffer.from(change(Buffer.from(textOf(old), 'base64'))).toString('base64')

describe('an SEV-SNP report', () => {
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const rsa = () => generateKeyPairSync('rsa', { modulusLength: 4096 })

  test.each<[string, string, DocumentRequest['sev']]>([
    [
      'of version 2',
      'report/version-unsupported',
      { patches: { 0x00: Buffer.of(2), 0x188: Buffer.alloc(3) } },
    ],
    ['of version 6', 'report/version-unsupported', { patches: { 0x00: Buffer.of(6) } }],
    ['of no processor', 'vcek/product-mismatch', { patches: { 0x188: Buffer.alloc(3) } }],
    ['of a Milan', 'vcek/product-mismatch', { patches: { 0x188: Buffer.of(0x19, 0x01) } }],
    [
      'of a Turin with the certificate of a Genoa',
      'vcek/product-mismatch',
      { patches: { 0x188: Buffer.of(0x1a, 0x02) } },
    ],
    ['with a masked chip key', 'report/chip-key-masked', { patches: { 0x48: Buffer.of(2) } }],
    ['with a masked chip', 'report/chip-id-masked', { patches: { 0x1a0: Buffer.alloc(64) } }],
    ['of another chip', 'vcek/hwid-mismatch', { patches: { 0x1a0: Buffer.alloc(64, 9) } }],
    ['by another key', 'report/signature-invalid', { vcek: { vcekPublicKey: p384.publicKey } }],
    ['with debugging', 'report/debug-guest', { patches: { 0x0a: Buffer.of(0x0b) } }],
    ['with an ID key', 'report/identity-mismatch', { patches: { 0xe0: Buffer.of(1) } }],
    [
      'with a list that ended',
      'amd/crl-expired',
      { revocations: { thisUpdate: NOW - 10 * DAY, nextUpdate: NOW - 1000 } },
    ],
    [
      'with a list that begins later',
      'amd/crl-not-yet-valid',
      { revocations: { thisUpdate: NOW + 1000, nextUpdate: NOW + DAY } },
    ],
    ['with a list of another issuer', 'amd/crl-invalid', { revocations: { issuer: 'ARK-Turin' } }],
    ['with the intermediate listed', 'amd/intermediate-revoked', { revocations: { revoked: [askSerial] } }],
    ['with the chip listed', 'vcek/revoked', { revocations: { revoked: [Buffer.of(0)] } }],
    ['with a certificate that ended', 'vcek/expired', { vcek: { notAfter: NOW - 1000 } }],
    [
      'with a certificate of other firmware',
      'vcek/tcb-mismatch',
      { vcek: { tcb: { bootloader: 9, tee: 0, snp: 23, microcode: 84 } } },
    ],
  ])('%s: %s', (_, code, changes) => {
    if (changes === undefined) throw new Error('no change')
    expect(sev.verdict({ sev: changes })).toEqual(refusedAtHardware(code))
  })

  test('with a list or certificate by another key', () => {
    const { privateKey, publicKey } = rsa()
    expect(sev.verdict({ sev: { revocations: { arkPrivateKey: privateKey } } })).toEqual(
      refusedAtHardware('amd/crl-invalid'),
    )
    expect(
      sev.verdict({ sev: { revocations: { arkPrivateKey: privateKey, arkPublicKey: publicKey } } }),
    ).toEqual(refusedAtHardware('amd/crl-invalid'))
    expect(sev.verdict({ sev: { vcek: { askPrivateKey: privateKey } } })).toEqual(
      refusedAtHardware('vcek/chain-invalid'),
    )
  })

  test('one byte longer, one shorter, or changed', () => {
    expect(
      changed(
        sev,
        REPORT,
        bytes((old) => Buffer.concat([old, Buffer.of(0)])),
      ),
    ).toEqual(refusedAtHardware('report/length'))
    expect(
      changed(
        sev,
        REPORT,
        bytes((old) => old.subarray(1)),
      ),
    ).toEqual(refusedAtHardware('report/length'))
    expect(
      changed(
        sev,
        REPORT,
        bytes((old) => old.map((byte, at) => (at === 0x50 ? byte ^ 1 : byte))),
      ),
    ).toEqual(refusedAtHardware('report/signature-invalid'))
  })

  test('with a chain that isn’t the pinned one', () => {
    const other = (pem: JsonValue) =>
      textOf(pem).replace(/(-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n)([\s\S]+)/, '$2$1')
    expect(changed(sev, ['collateral', 0, 'data', 'cert_chain_pem'], other)).toEqual(
      refusedAtHardware('vcek/chain-invalid'),
    )
  })

  test('with a list that isn’t one', () => {
    expect(changed(sev, ['collateral', 1, 'data', 'crl_der_base64'], () => 'AAAA')).toEqual(
      refusedAtHardware('amd/crl-malformed'),
    )
  })

  test('as a quote, and a quote as a report', () => {
    expect(
      changed(sev, ['cpu_evidence', 'format'], () => 'https://tinfoil.sh/format/tdx-quote/v1'),
    ).toHaveProperty('refused')
    expect(
      changed(tdx, ['cpu_evidence', 'format'], () => 'https://tinfoil.sh/format/sev-snp-report/v1'),
    ).toEqual(refusedAtHardware('collateral/missing'))
  })
})

describe('a TDX quote', () => {
  test.each<[string, string, DocumentRequest['tdx']]>([
    ['of version 3', 'quote/version-unsupported', { patches: { 0: Buffer.of(3) } }],
    ['with header bytes 8 to 11 set', 'quote/reserved-bytes', { patches: { 11: Buffer.of(1) } }],
    ['of another quoting enclave', 'quote/qe-vendor', { patches: { 12: Buffer.of(0) } }],
    ['with a certificate that ended', 'pck/expired', { pck: { notAfter: NOW - 1000 } }],
  ])('%s: %s', (_, code, changes) => {
    if (changes === undefined) throw new Error('no change')
    expect(tdx.verdict({ tdx: changes })).toEqual(refusedAtHardware(code))
  })

  test('with bytes after its end, unless they are zero', () => {
    expect(
      changed(
        tdx,
        REPORT,
        bytes((old) => Buffer.concat([old, Buffer.alloc(64)])),
      ),
    ).toHaveProperty('facts')
    expect(
      changed(
        tdx,
        REPORT,
        bytes((old) => Buffer.concat([old, Buffer.alloc(64), Buffer.of(1)])),
      ),
    ).toEqual(refusedAtHardware('quote/length'))
  })

  test('of a machine that isn’t on the list', () => {
    expect(tdx.verdict({ tdx: { pck: { ppid: Buffer.alloc(16, 5) } } })).toEqual({
      refused: 'v3/machine policy/machine-not-endorsed',
    })
  })

  test('of a revoked machine', () => {
    const serial = Buffer.alloc(20, 0x41)
    expect(tdx.verdict({ tdx: { pck: { serial }, collateral: { revoked: [serial] } } })).toEqual(
      refusedAtHardware('pck/revoked'),
    )
  })

  test('without one of Intel’s four answers, or without any', () => {
    for (const index of [0, 1, 2, 3]) {
      const without = (old: JsonValue) => (Array.isArray(old) ? old.filter((_, at) => at !== index) : old)
      expect(changed(tdx, ['collateral', 0, 'data', 'responses'], without)).toEqual(
        refusedAtHardware('intel/collateral-malformed'),
      )
    }
    expect(changed(tdx, ['collateral'], (old) => (Array.isArray(old) ? old.slice(1) : old))).toEqual(
      refusedAtHardware('intel/collateral-missing'),
    )
  })

  test('with Intel’s answers at other spellings of their addresses', () => {
    const respelled = (old: JsonValue) =>
      Array.isArray(old)
        ? old.map((answer) =>
            isJsonObject(answer)
              ? {
                  ...answer,
                  url: `${textOf(answer['url']).replace('/tdx/', '/TDX/')}${textOf(answer['url']).includes('?') ? '&' : '?'}tcbEvaluationDataNumber=19`,
                }
              : answer,
          )
        : old
    expect(changed(tdx, ['collateral', 0, 'data', 'responses'], respelled)).toHaveProperty('facts')
  })

  test('with data of Intel’s that ended', () => {
    expect(tdx.verdict({}, { now: NOW + 40 * DAY })).toHaveProperty('refused')
    expect(tdx.verdict({ tdx: { collateral: { staleTcbInfo: true } } })).toEqual(
      refusedAtHardware('intel/tcb-info-expired'),
    )
  })
})

test('another root refuses', () => {
  const { trust } = sev.world.roots
  const { intelSgxRoot: _, ...noIntel } = trust
  expect(tdx.verdict({}, { trust: noIntel })).toEqual(refusedAtHardware('evidence/format-unsupported'))
  expect(sev.verdict({}, { trust: { ...trust, amd: {} }, policy: sandboxPolicy })).toEqual(
    refusedAtHardware('vcek/product-not-accepted'),
  )
})

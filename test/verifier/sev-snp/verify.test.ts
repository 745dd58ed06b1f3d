import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sevSteps, type SevInput } from '../../../src/verifier/sev-snp/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import type { SevPolicy } from '../../../src/shared/policy/sev-snp.ts'
import {
  basicConstraints,
  ecdsaSha384,
  extension,
  keyUsage,
  pssSha384,
} from '../../../src/sandbox/der/certificate.ts'
import { ia5String, integer, nul, octetString } from '../../../src/sandbox/der/der.ts'
import {
  amdName,
  CHIP_ID,
  chipExtensions,
  mintAmd,
  NOW,
  policy,
  TCB,
  TURIN_CHIP_ID,
  TURIN_TCB,
  type MintedAmd,
  type Patches,
} from './minted-chip.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'

let amd: MintedAmd
beforeAll(async () => {
  amd = await mintAmd()
})

const genoa = (changes: Partial<SevInput> = {}): SevInput => ({
  report: amd.report('Genoa'),
  vcek: amd.soundChip('Genoa'),
  roots: amd.roots('Genoa'),
  policy,
  now: NOW,
  ...changes,
})
const turin = (changes: Partial<SevInput> = {}): SevInput => ({
  report: amd.report('Turin'),
  vcek: amd.soundChip('Turin'),
  roots: amd.roots('Turin'),
  policy,
  now: NOW,
  ...changes,
})
const codeOf = (input: SevInput) => {
  const result = sevSteps.verify(input)
  return result.good ? 'good' : result.failure.code
}
const patched = (patches: Patches) => codeOf(genoa({ report: amd.report('Genoa', patches) }))
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

it.each(['Genoa', 'Turin'] as const)('accepts a %s report that meets the policy', (product) => {
  const result = sevSteps.verify(product === 'Genoa' ? genoa() : turin())
  expect(
    result.steps
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, outcome, required }) => ({ id, outcome, required })),
  ).toEqual([{ id: 'amd/revocation', outcome: 'not-checked', required: false }])
  expect(result.steps.map(({ id }) => id)).toEqual(sevSteps.names.map(({ id }) => id))
  expect(result).toMatchObject({
    good: true,
    value: { evidence: { product, report: { version: product === 'Genoa' ? 3 : 5, vmpl: 0 } } },
  })
  if (result.good) {
    expect(Buffer.from(result.value.evidence.report.measurement)).toEqual(Buffer.alloc(48, 0xa5))
    expect(Buffer.from(result.value.evidence.report.reportData)).toEqual(Buffer.alloc(64, 0x5a))
    // The first certificate of the chain to end is the chip's.
    expect(result.value.evidence.notAfter).toBe(NOW + 6 * 365 * 24 * 3600_000)
  }
})

it('lists the steps after a failure as not reached', () => {
  const result = sevSteps.verify(genoa({ now: NOW + 7 * 365 * 24 * 3600_000 }))
  const at = sevSteps.names.findIndex(({ id }) => id === 'vcek/validity')
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(
    sevSteps.names.map((_, index) => (index < at ? 'passed' : index === at ? 'failed' : 'not-reached')),
  )
  expect(result.steps[at]?.code).toBe('vcek/expired')
  expect(renderEnglish(result.steps[at]?.observed ?? [])).toBe(
    'from 2025-06-01T00:00:00Z to 2032-05-30T00:00:00Z',
  )
})

describe('layout', () => {
  it.each<[string, AttestationCode, Patches]>([
    ['version 1', 'report/version-unsupported', { 0: u32(1) }],
    ['version 6', 'report/version-unsupported', { 0: u32(6) }],
    ['another algorithm', 'report/signature-algorithm', { 0x34: u32(2) }],
    ['reserved bytes after signer info', 'report/reserved-bytes', { 0x4f: Buffer.of(1) }],
    ['reserved bytes after the stepping', 'report/reserved-bytes', { 0x18b: Buffer.of(1) }],
    ['reserved byte after the current version', 'report/reserved-bytes', { 0x1eb: Buffer.of(1) }],
    ['reserved byte after the committed version', 'report/reserved-bytes', { 0x1ef: Buffer.of(1) }],
    ['mitigation vectors before version 5', 'report/reserved-bytes', { 0x1f8: Buffer.of(1) }],
    ['reserved bytes before the signature', 'report/reserved-bytes', { 0x29f: Buffer.of(1) }],
    ['processor in a report of version 2', 'report/reserved-bytes', { 0: u32(2) }],
  ])('refuses %s', (_, code, patches) => {
    expect(patched(patches)).toBe(code)
  })

  it('accepts only 1184 bytes', () => {
    const report = amd.report('Genoa')
    for (const wrong of [report.subarray(0, 1183), Buffer.concat([report, Buffer.of(0)]), new Uint8Array()]) {
      expect(codeOf(genoa({ report: wrong }))).toBe('report/length')
    }
  })

  it('reads versions 2, 4 and 5', () => {
    expect(patched({ 0: u32(2), 0x188: Buffer.alloc(3) })).toBe('good')
    expect(patched({ 0: u32(4) })).toBe('good')
    expect(patched({ 0: u32(5), 0x1f8: u64(7n) })).toBe('good')
  })
})

describe('AMD’s chain', () => {
  const YEAR = 365 * 24 * 3600_000
  const rootsWith = (ark: Buffer, ask: Buffer) => ({ Genoa: { ark, ask } })
  const root = (
    ...changes: Parameters<MintedAmd['rootCertificate']> extends [unknown, ...infer Rest] ? Rest : never
  ) =>
    codeOf(
      genoa({
        roots: rootsWith(amd.rootCertificate('Genoa', ...changes), amd.intermediateCertificate('Genoa')),
      }),
    )
  const intermediate = (
    ...changes: Parameters<MintedAmd['intermediateCertificate']> extends [unknown, ...infer Rest]
      ? Rest
      : never
  ) =>
    codeOf(
      genoa({
        roots: rootsWith(amd.rootCertificate('Genoa'), amd.intermediateCertificate('Genoa', ...changes)),
      }),
    )
  const chip = (
    ...changes: Parameters<MintedAmd['chipCertificate']> extends [unknown, ...infer Rest] ? Rest : never
  ) => codeOf(genoa({ vcek: amd.chipCertificate('Genoa', ...changes) }))
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const rsa2048 = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const salt32 = (key: KeyObject) => ({ ...pssSha384(key, false), sign: () => Buffer.alloc(512) })

  it('is valid without keyUsage, because constraints and names determine the issuers', () => {
    expect(root({ extensions: [basicConstraints(true)] })).toBe('good')
    expect(intermediate({ extensions: [basicConstraints(true)] })).toBe('good')
  })

  it('needs a valid, self-signed root with AMD’s name and strength', () => {
    expect(root({ subject: amdName('ARK-Turin') })).toBe('amd/root-invalid')
    expect(root({ issuer: amdName('ARK-Turin') })).toBe('amd/root-invalid')
    expect(root({ extensions: [keyUsage('certificateAndCrlSign')] })).toBe('amd/root-invalid')
    expect(root({ extensions: [basicConstraints(false)] })).toBe('amd/root-invalid')
    expect(root({ extensions: [basicConstraints(true, 0)] })).toBe('amd/root-invalid')
    expect(root({ extensions: [basicConstraints(true), keyUsage('digitalSignature')] })).toBe(
      'amd/root-invalid',
    )
    expect(root({ extensions: [basicConstraints(true), extension('1.2.3', nul(), true)] })).toBe(
      'amd/root-invalid',
    )
    expect(root({}, pssSha384(amd.ask.privateKey, true))).toBe('amd/root-invalid')
    expect(root({ publicKey: p384.publicKey }, ecdsaSha384(p384.privateKey))).toBe('amd/root-invalid')
    expect(root({ publicKey: rsa2048.publicKey }, pssSha384(rsa2048.privateKey, true))).toBe(
      'amd/root-invalid',
    )
    expect(root({ notAfter: NOW - 1000 })).toBe('amd/root-invalid')
    expect(root({ notBefore: NOW + 1000 })).toBe('amd/root-invalid')
    expect(
      codeOf(
        genoa({ roots: rootsWith(Buffer.from('no certificate'), amd.intermediateCertificate('Genoa')) }),
      ),
    ).toBe('amd/root-invalid')
  })

  it('needs an intermediate with AMD’s name that the root issued', () => {
    expect(intermediate({ subject: amdName('SEV-Turin') })).toBe('amd/intermediate-invalid')
    expect(intermediate({ issuer: amdName('ARK-Turin') })).toBe('amd/intermediate-invalid')
    expect(intermediate({ extensions: [] })).toBe('amd/intermediate-invalid')
    expect(intermediate({ extensions: [basicConstraints(true), keyUsage('digitalSignature')] })).toBe(
      'amd/intermediate-invalid',
    )
    expect(intermediate({}, pssSha384(amd.ask.privateKey, true))).toBe('amd/intermediate-invalid')
    expect(intermediate({}, salt32(amd.ark.privateKey))).toBe('amd/intermediate-invalid')
    expect(intermediate({ notAfter: NOW - 1000 })).toBe('amd/intermediate-invalid')
  })

  it('needs a chip certificate that the intermediate issued', () => {
    expect(chip({}, pssSha384(amd.ark.privateKey, false))).toBe('vcek/chain-invalid')
    expect(chip({}, pssSha384(amd.ask.privateKey, true))).toBe('good')
    expect(chip({}, ecdsaSha384(p384.privateKey))).toBe('vcek/chain-invalid')
    expect(chip({ issuer: amdName('ARK-Genoa') })).toBe('vcek/chain-invalid')
    expect(chip({ subject: amdName('SEV-VLEK') })).toBe('vcek/chain-invalid')
    expect(chip({ publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey })).toBe(
      'vcek/chain-invalid',
    )
    expect(chip({ publicKey: amd.ask.publicKey })).toBe('vcek/chain-invalid')
    expect(chip({ extensions: [...chipExtensions('Genoa'), basicConstraints(true)] })).toBe(
      'vcek/chain-invalid',
    )
    expect(chip({ extensions: [...chipExtensions('Genoa'), extension('1.2.3', nul(), true)] })).toBe(
      'vcek/chain-invalid',
    )
  })

  it('needs a chip certificate that is valid now', () => {
    expect(codeOf(genoa({ now: NOW - YEAR }))).toBe('good')
    expect(chip({ notBefore: NOW, notAfter: NOW })).toBe('good')
    expect(chip({ notAfter: NOW - 1000 })).toBe('vcek/expired')
    expect(chip({ notBefore: NOW + 1000 })).toBe('vcek/not-yet-valid')
  })

  it('needs a product that the policy accepts and that has a root', () => {
    expect(codeOf(genoa({ policy: { ...policy, products: {} } }))).toBe('vcek/product-not-accepted')
    expect(codeOf(genoa({ roots: {} }))).toBe('vcek/product-not-accepted')
    expect(
      codeOf({
        ...genoa(),
        report: amd.report('Milan'),
        vcek: amd.chipCertificate('Milan'),
        roots: amd.roots('Milan'),
      }),
    ).toBe('vcek/product-not-accepted')
    expect(chip({ extensions: chipExtensions('Genoa', { 2: ia5String('Genoa2') }) })).toBe(
      'vcek/product-not-accepted',
    )
    // Another product's chip under this product's roots.
    expect(
      codeOf(
        turin({
          roots: { Turin: { ark: amd.rootCertificate('Genoa'), ask: amd.intermediateCertificate('Genoa') } },
        }),
      ),
    ).toBe('amd/root-invalid')
  })
})

describe('AMD’s extensions', () => {
  const chip = (changes: Record<string, Uint8Array | undefined>) =>
    codeOf(genoa({ vcek: amd.chipCertificate('Genoa', { extensions: chipExtensions('Genoa', changes) }) }))

  it.each<[string, AttestationCode, Record<string, Uint8Array | undefined>]>([
    ['no product', 'vcek/malformed', { 2: undefined }],
    ['no hardware id', 'vcek/malformed', { 4: undefined }],
    ['no bootloader', 'vcek/malformed', { '3.1': undefined }],
    ['no microcode', 'vcek/malformed', { '3.8': undefined }],
    ['Turin’s fmc on Genoa', 'vcek/malformed', { '3.9': integer(1) }],
    ['a reserved level', 'vcek/malformed', { '3.5': integer(1) }],
    ['a level above 255', 'vcek/malformed', { '3.8': integer(256) }],
    ['a level that is no INTEGER', 'vcek/malformed', { '3.8': octetString(Buffer.of(84)) }],
    ['bytes after a level', 'vcek/malformed', { '3.8': Buffer.concat([integer(84), nul()]) }],
    ['the name of a cloud provider', 'vcek/is-vlek', { 5: ia5String('cloud') }],
    ['another bootloader', 'vcek/tcb-mismatch', { '3.1': integer(11) }],
    ['another TEE', 'vcek/tcb-mismatch', { '3.2': integer(1) }],
    ['another SNP', 'vcek/tcb-mismatch', { '3.3': integer(22) }],
    ['another microcode', 'vcek/tcb-mismatch', { '3.8': integer(85) }],
    ['another chip', 'vcek/hwid-mismatch', { 4: Buffer.from(CHIP_ID).reverse() }],
    ['Turin’s short id', 'vcek/hwid-mismatch', { 4: CHIP_ID.subarray(0, 8) }],
  ])('refuses %s: %s', (_, code, changes) => {
    expect(chip(changes)).toBe(code)
  })

  it('must match the chip of the report', () => {
    expect(patched({ 0x1a0: Buffer.of(0xff) })).toBe('vcek/hwid-mismatch')
    expect(patched({ 0x1a0: Buffer.alloc(64) })).toBe('report/chip-id-masked')
    expect(patched({ 0x48: u32(0b10) })).toBe('report/chip-key-masked')
    expect(patched({ 0x48: u32(0b10), 0x1a0: Buffer.alloc(64) })).toBe('report/chip-key-masked')
    expect(patched({ 0x180: Buffer.of(9) })).toBe('vcek/tcb-mismatch')
    expect(patched({ 0x182: Buffer.of(1) })).toBe('vcek/tcb-mismatch')
  })

  it('must match the processor of the report', () => {
    expect(patched({ 0x188: Buffer.of(0x19, 0x01) })).toBe('vcek/product-mismatch')
    expect(patched({ 0x188: Buffer.of(0x1a, 0x02) })).toBe('vcek/product-mismatch')
    expect(patched({ 0x188: Buffer.of(0x17, 0x31) })).toBe('vcek/product-mismatch')
    expect(patched({ 0x188: Buffer.of(0x19, 0xa0) })).toBe('good')
  })

  it('on Turin have an ID of 8 bytes, and an FMC', () => {
    const chipOf = (changes: Record<string, Uint8Array | undefined>) =>
      codeOf(turin({ vcek: amd.chipCertificate('Turin', { extensions: chipExtensions('Turin', changes) }) }))
    expect(chipOf({ '3.9': undefined })).toBe('vcek/malformed')
    expect(chipOf({ '3.9': integer(2) })).toBe('vcek/tcb-mismatch')
    expect(chipOf({ 4: TURIN_CHIP_ID })).toBe('vcek/hwid-mismatch')
    expect(codeOf(turin({ report: amd.report('Turin', { 0x1a8: Buffer.of(1) }) }))).toBe('vcek/hwid-mismatch')
    // Genoa's layout of the same levels is another TCB here.
    expect(codeOf(turin({ report: amd.report('Turin', { 0x180: TCB }) }))).toBe('vcek/tcb-mismatch')
  })
})

describe('the signature', () => {
  it('must be from the certified chip', () => {
    expect(
      codeOf(
        genoa({
          report: amd.report('Genoa', {}, generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
        }),
      ),
    ).toBe('report/signature-invalid')
  })

  it('covers every byte', () => {
    for (const at of [0x2a0, 0x2cf, 0x2d0, 0x2e7, 0x2e8, 0x317, 0x318, 0x32f, 0x330, 0x49f]) {
      const report = amd.report('Genoa')
      report.writeUInt8(report.readUInt8(at) ^ 1, at)
      expect(codeOf(genoa({ report }))).toBe('report/signature-invalid')
    }
  })

  it('has r and s from 1 to less than the order of the curve', () => {
    /** SEC 2, secp384r1; little-endian, as a report writes it. */
    const order = Buffer.from(
      'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
      'hex',
    ).reverse()
    const above = Buffer.from(order)
    above.writeUInt8(order.readUInt8(0) + 1, 0)
    for (const bad of [Buffer.alloc(48), order, above, Buffer.alloc(48, 0xff)]) {
      for (const places of [[0x2a0], [0x2e8], [0x2a0, 0x2e8]]) {
        const report = amd.report('Genoa')
        for (const at of places) report.set(bad, at)
        expect(codeOf(genoa({ report }))).toBe('report/signature-invalid')
      }
    }
  })

  it('is verified without a change to the report', () => {
    const input = genoa()
    const before = Buffer.from(input.report)
    expect(codeOf(input)).toBe('good')
    expect(input.report).toEqual(before)
    expect(codeOf(input)).toBe('good')
  })

  it('is verified before the policy: an unsigned debug report is refused as unsigned', () => {
    const report = amd.report('Genoa')
    report.writeBigUInt64LE(0xb_0000n, 0x08)
    expect(codeOf(genoa({ report }))).toBe('report/signature-invalid')
  })
})

describe('the signed report', () => {
  it.each<[string, AttestationCode | 'good', Patches]>([
    ['a VLEK', 'report/signer-is-vlek', { 0x48: u32(1 << 2) }],
    ['no signing key', 'report/signer-unknown', { 0x48: u32(7 << 2) }],
    ['a reserved signing key', 'report/signer-unknown', { 0x48: u32(2 << 2) }],
    ['reserved signer bits', 'report/signer-reserved-bits', { 0x48: u32(0x20) }],
    ['the highest signer bit', 'report/signer-reserved-bits', { 0x48: u32(0x8000_0000) }],
    ['debugging', 'report/debug-guest', { 8: u64(0xb_0000n) }],
    ['a migration agent', 'report/migration-allowed', { 8: u64(0x7_0000n) }],
    ['no bit 17', 'report/guest-policy-reserved-bits', { 8: u64(0x1_0000n) }],
    ['reserved bit 26', 'report/guest-policy-reserved-bits', { 8: u64(0x403_0000n) }],
    ['reserved bit 30', 'report/guest-policy-reserved-bits', { 8: u64(0x4003_0000n) }],
    ['reserved bit 63', 'report/guest-policy-reserved-bits', { 8: u64(0x8000_0000_0003_0000n) }],
    ['CXL', 'report/cxl-allowed', { 8: u64(0x23_0000n) }],
    ['a single socket', 'good', { 8: u64(0x13_0000n) }],
    ['XTS, RAPL off, hiding and page swap off', 'good', { 8: u64(0x3c3_0000n) }],
    ['an ABI', 'good', { 8: u64(0x3_0137n) }],
    ['a guest SVN', 'report/identity-mismatch', { 0x04: u32(1) }],
    ['a family ID', 'report/identity-mismatch', { 0x10: Buffer.of(1) }],
    ['an image ID', 'report/identity-mismatch', { 0x2f: Buffer.of(1) }],
    ['host data', 'report/identity-mismatch', { 0xdf: Buffer.of(1) }],
    ['an ID key', 'report/identity-mismatch', { 0xe0: Buffer.of(1) }],
    ['an author key’s digest', 'report/identity-mismatch', { 0x13f: Buffer.of(1) }],
    ['an author key', 'report/identity-mismatch', { 0x48: u32(1) }],
    ['VMPL 1', 'report/vmpl-mismatch', { 0x30: u32(1) }],
    ['another current bootloader', 'report/tcb-below-floor', { 0x38: Buffer.of(9) }],
    ['an older current microcode', 'report/tcb-below-floor', { 0x3f: Buffer.of(83) }],
    ['an older committed SNP', 'report/tcb-below-floor', { 0x1e6: Buffer.of(22) }],
    ['an older launch', 'report/tcb-below-floor', { 0x1f7: Buffer.of(83) }],
    ['reserved bytes of a TCB', 'report/tcb-reserved-bytes', { 0x1f2: Buffer.of(1) }],
    ['a current TCB ahead of the committed one', 'report/provisional-firmware', { 0x38: Buffer.of(11) }],
    ['a current build ahead', 'report/provisional-firmware', { 0x1e8: Buffer.of(41) }],
    ['a current API ahead', 'report/provisional-firmware', { 0x1e9: Buffer.of(56) }],
    ['a current major version ahead', 'report/provisional-firmware', { 0x1ea: Buffer.of(2) }],
    ['an older build', 'report/firmware-below-floor', { 0x1e8: Buffer.of(39), 0x1ec: Buffer.of(39) }],
    ['an older API', 'report/firmware-below-floor', { 0x1e9: Buffer.of(54), 0x1ed: Buffer.of(54) }],
    [
      'an older major version with a newer minor',
      'report/firmware-below-floor',
      { 0x1e9: Buffer.of(99, 0), 0x1ed: Buffer.of(99, 0) },
    ],
    ['a newer major version with an older minor', 'good', { 0x1e9: Buffer.of(0, 2), 0x1ed: Buffer.of(0, 2) }],
    [
      'a newer API with an older build',
      'report/firmware-below-floor',
      { 0x1e8: Buffer.of(1, 56), 0x1ec: Buffer.of(1, 56) },
    ],
    ['TSME off', 'report/tsme-off', { 0x40: u64(0x25n) }],
    ['no ECC', 'report/ecc-off', { 0x40: u64(0x23n) }],
    ['no alias check', 'report/alias-check-missing', { 0x40: u64(0x07n) }],
    ['RAPL off and hiding', 'good', { 0x40: u64(0x3fn) }],
    ['SMT off', 'good', { 0x40: u64(0x26n) }],
    ['Turin’s bit 6', 'report/platform-reserved-bits', { 0x40: u64(0x67n) }],
    ['reserved bit 63', 'report/platform-reserved-bits', { 0x40: u64(0x8000_0000_0000_0027n) }],
  ])('%s: %s', (_, code, patches) => {
    expect(patched(patches)).toBe(code)
  })

  it('must match every bit of POLICY and PLATFORM_INFO if the policy contains them', () => {
    const exact: SevPolicy = {
      ...policy,
      guest: { ...policy.guest, policy: '0000000000030000' },
      platform: { ...policy.platform, info: '0000000000000027' },
    }
    const exactly = (patches: Patches) =>
      codeOf(genoa({ report: amd.report('Genoa', patches), policy: exact }))
    expect(exactly({})).toBe('good')
    for (let bit = 0n; bit < 64n; bit++) {
      expect([bit, exactly({ 8: u64(0x3_0000n ^ (1n << bit)) })]).not.toEqual([bit, 'good'])
      expect([bit, exactly({ 0x40: u64(0x27n ^ (1n << bit)) })]).not.toEqual([bit, 'good'])
    }
    expect(exactly({ 8: u64(0x3_0137n) })).toBe('report/guest-policy-mismatch')
    expect(exactly({ 0x40: u64(0x3fn) })).toBe('report/platform-mismatch')
  })

  it('must meet the limits of the policy’s guest rules', () => {
    const strict: SevPolicy = { ...policy, guest: { allowSmt: false, allowSingleSocketOnly: false } }
    const strictly = (patches: Patches) =>
      codeOf(genoa({ report: amd.report('Genoa', patches), policy: strict }))
    expect(strictly({})).toBe('report/smt-allowed')
    expect(strictly({ 8: u64(0x12_0000n) })).toBe('report/single-socket-only')
    expect(strictly({ 8: u64(0x2_0000n) })).toBe('report/smt-enabled')
    expect(strictly({ 8: u64(0x2_0000n), 0x40: u64(0x26n) })).toBe('good')
    expect(codeOf(genoa({ policy: { ...policy, vmpl: 1 } }))).toBe('report/vmpl-mismatch')
    const lenient: SevPolicy = {
      ...policy,
      platform: { requireTsme: false, requireEcc: false, requireAliasCheck: false },
    }
    expect(codeOf(genoa({ report: amd.report('Genoa', { 0x40: u64(0n) }), policy: lenient }))).toBe('good')
  })

  it('must meet the rules of its own product', () => {
    const { Genoa, Turin } = policy.products
    const relaxed = { requireTsme: false, requireEcc: true, requireAliasCheck: true }
    const ownPolicy: SevPolicy = {
      ...policy,
      products: { ...(Genoa && { Genoa }), ...(Turin && { Turin: { ...Turin, platform: relaxed } }) },
    }
    const withoutTsme = 0x65n
    expect(codeOf(turin({ report: amd.report('Turin', { 0x40: u64(withoutTsme) }) }))).toBe('report/tsme-off')
    expect(
      codeOf(turin({ report: amd.report('Turin', { 0x40: u64(withoutTsme) }), policy: ownPolicy })),
    ).toBe('good')
    expect(codeOf(turin({ report: amd.report('Turin', { 0x40: u64(0x45n) }), policy: ownPolicy }))).toBe(
      'report/alias-check-missing',
    )
    // One product's rule is no other's.
    expect(codeOf(genoa({ report: amd.report('Genoa', { 0x40: u64(0x25n) }), policy: ownPolicy }))).toBe(
      'report/tsme-off',
    )
  })

  it('must have the mitigations that its product requires, at launch and now', () => {
    const { Turin } = policy.products
    const needing = (requiredMitigations: string): SevPolicy => ({
      ...policy,
      products: { ...(Turin && { Turin: { ...Turin, requiredMitigations } }) },
    })
    const withVectors = (launch: bigint, current: bigint, mask: string) =>
      codeOf(
        turin({
          report: amd.report('Turin', { 0x1f8: u64(launch), 0x200: u64(current) }),
          policy: needing(mask),
        }),
      )
    const five = '0000000000000005'
    expect(withVectors(5n, 5n, five)).toBe('good')
    expect(withVectors(7n, 0xffff_ffff_ffff_ffffn, five)).toBe('good')
    expect(withVectors(1n, 5n, five)).toBe('report/mitigation-missing')
    expect(withVectors(5n, 4n, five)).toBe('report/mitigation-missing')
    expect(withVectors(0n, 0n, '0000000000000000')).toBe('good')
    expect(withVectors(0x8000_0000_0000_0000n, 0x8000_0000_0000_0000n, '8000000000000000')).toBe('good')
    // A report of version 4 states none.
    expect(codeOf(turin({ report: amd.report('Turin', { 0: u32(4) }), policy: needing(five) }))).toBe(
      'report/mitigation-missing',
    )
  })

  it('on Turin must meet Turin’s own layout and minimums', () => {
    const patchedTurin = (patches: Patches) => codeOf(turin({ report: amd.report('Turin', patches) }))
    expect(patchedTurin({ 0x38: Buffer.of(0) })).toBe('report/tcb-below-floor')
    expect(patchedTurin({ 0x3b: Buffer.of(4) })).toBe('report/tcb-below-floor')
    expect(patchedTurin({ 0x3e: Buffer.of(23) })).toBe('report/tcb-reserved-bytes')
    expect(patchedTurin({ 0x1e8: Buffer.of(2), 0x1ec: Buffer.of(2) })).toBe('report/firmware-below-floor')
    expect(patchedTurin({ 0x1e9: Buffer.of(57), 0x1ed: Buffer.of(57) })).toBe('report/firmware-below-floor')
    expect(patchedTurin({ 0x40: u64(0xe7n) })).toBe('good')
    expect(patchedTurin({ 0x40: u64(0x167n) })).toBe('report/platform-reserved-bits')
    expect(TURIN_TCB).toHaveLength(8)
  })
})

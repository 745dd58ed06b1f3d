import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseReport, type SevReport } from '../../../src/verifier/sev-snp/index.ts'
import { parseExactIntegers } from '../../../src/verifier/v3/exact-json.ts'
import { firstFault } from '../../../src/verifier/v3/finding.ts'
import { readEndorsements, type EndorsedSev } from '../../../src/verifier/v3/platform-endorsements.ts'
import { firmwareOf, settingsOf } from '../../../src/verifier/v3/sev-policy.ts'
import { currentTcb } from '../../../src/sandbox/world/amd.ts'
import { attestationReport, type Patches } from '../../../src/sandbox/world/report.ts'
import { platformEndorsements } from '../../../src/sandbox/world/v3/platform-policies.ts'
import { createEnclave, sandboxPolicy, type Enclave } from './verified-documents.ts'
import { replaced, toJson, type Path } from './json-edits.ts'

let enclave: Enclave
let genoa: EndorsedSev
let turin: EndorsedSev
beforeAll(async () => {
  enclave = await createEnclave('sev-snp')
  const read = readEndorsements(
    parseExactIntegers(Buffer.from(JSON.stringify(platformEndorsements(enclave.world.roots)))),
  )
  if (!('value' in read)) throw new Error('no endorsements')
  const [first, second] = ['sandbox-genoa', 'sandbox-turin'].map((name) => read.value.policies[name])
  if (first?.platform !== 'sev-snp' || second?.platform !== 'sev-snp') throw new Error('no policies')
  genoa = first.sev_snp
  turin = second.sev_snp
})

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
function report(patches: Patches = {}): SevReport {
  return parseReport(
    attestationReport(
      {
        tcb: currentTcb,
        debug: false,
        reportData: Buffer.alloc(64),
        measurement: Buffer.alloc(48),
        chipId: Buffer.alloc(64, 1),
        patches,
      },
      privateKey,
    ),
  )
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const GUEST = (1n << 16n) | (1n << 17n)
const INFO = 0x27n
const flip = (at: number, value: bigint, bit: number): Patches => ({ [at]: u64(value ^ (1n << BigInt(bit))) })

const settings = (patches: Patches, policy: EndorsedSev = genoa) =>
  firstFault(settingsOf(report(patches), 'Genoa', policy))?.code ?? 'good'
const firmware = (patches: Patches, policy: EndorsedSev = genoa) =>
  firstFault(firmwareOf(report(patches), 'Genoa', policy))?.code ?? 'good'

test('a report with every value as signed', () => {
  expect([settings({}), firmware({})]).toEqual(['good', 'good'])
})

describe('settings', () => {
  test('each bit of the guest policy and of the platform is compared', () => {
    for (let bit = 16; bit < 64; bit++)
      expect([bit, settings(flip(0x08, GUEST, bit))]).toEqual([bit, 'report/guest-policy-mismatch'])
    for (let bit = 0; bit < 64; bit++)
      expect([bit, settings(flip(0x40, INFO, bit))]).toEqual([bit, 'report/platform-mismatch'])
  })

  test('a bit that the policy asks for must be set', () => {
    const names = [
      'smt',
      'migrate_ma',
      'debug',
      'single_socket',
      'cxl_allowed',
      'mem_aes256_xts',
      'rapl_dis',
      'ciphertext_hiding_dram',
      'page_swap_disable',
    ] as const
    const bits = [16, 18, 19, 20, 21, 22, 23, 24, 25]
    names.forEach((name, index) => {
      const policy = { ...genoa, guest_policy: { ...genoa.guest_policy, [name]: !genoa.guest_policy[name] } }
      expect([name, settings({}, policy), settings(flip(0x08, GUEST, bits[index] ?? 0), policy)]).toEqual([
        name,
        'report/guest-policy-mismatch',
        'good',
      ])
    })
    const info = [
      'smt_enabled',
      'tsme_enabled',
      'ecc_enabled',
      'rapl_disabled',
      'ciphertext_hiding_dram',
      'alias_check_complete',
    ] as const
    info.forEach((name, bit) => {
      const policy = {
        ...genoa,
        platform_info: { ...genoa.platform_info, [name]: !genoa.platform_info[name] },
      }
      expect([name, settings({}, policy), settings(flip(0x40, INFO, bit), policy)]).toEqual([
        name,
        'report/platform-mismatch',
        'good',
      ])
    })
    const tio = { ...genoa, platform_info: { ...genoa.platform_info, tio_enabled: true } }
    expect([settings({}, tio), settings(flip(0x40, INFO, 7), tio)]).toEqual([
      'report/platform-mismatch',
      'good',
    ])
  })

  test('the ABI is a floor: major first', () => {
    const policy = { ...genoa, minimum_abi_version: { major: 1, minor: 5 } }
    const abi = (major: number, minor: number) =>
      settings({ 0x08: u64(GUEST | (BigInt(major) << 8n) | BigInt(minor)) }, policy)
    expect([abi(1, 5), abi(1, 6), abi(2, 0)]).toEqual(['good', 'good', 'good'])
    expect([abi(1, 4), abi(0, 255)]).toEqual(['report/guest-policy-mismatch', 'report/guest-policy-mismatch'])
  })

  test.each<[string, Patches, string]>([
    ['VMPL 1', { 0x30: Buffer.of(1) }, 'report/vmpl-mismatch'],
    ['host data', { 0xdf: Buffer.of(1) }, 'report/identity-mismatch'],
    ['image ID', { 0x20: Buffer.of(0x80) }, 'report/identity-mismatch'],
    ['family ID', { 0x1f: Buffer.of(1) }, 'report/identity-mismatch'],
    ['ID key digest', { 0xe0: Buffer.of(1) }, 'report/identity-mismatch'],
    ['author key digest', { 0x13f: Buffer.of(1) }, 'report/identity-mismatch'],
    ['author key in use', { 0x48: Buffer.of(1) }, 'report/identity-mismatch'],
  ])('%s', (_, patches, code) => {
    expect(settings(patches)).toBe(code)
  })

  test('the guest SVN is a floor', () => {
    const policy = { ...genoa, minimum_guest_svn: 2n }
    expect([1, 2, 3].map((svn) => settings({ 0x04: Buffer.of(svn) }, policy))).toEqual([
      'report/identity-mismatch',
      'good',
      'good',
    ])
  })

  test('the policy fits the product of the report', () => {
    const fmc = (tcb: EndorsedSev['minimum_tcb']) => ({ ...tcb, fmc_spl: 0n })
    for (const policy of [
      { ...genoa, minimum_tcb: fmc(genoa.minimum_tcb) },
      { ...genoa, minimum_launch_tcb: fmc(genoa.minimum_launch_tcb) },
    ]) {
      expect(settings({}, policy)).toBe('policy/platform-mismatch')
    }
    const iommu = { ...genoa, platform_info: { ...genoa.platform_info, iommu_write_safe: true } }
    expect(settings(flip(0x40, INFO, 6), iommu)).toBe('policy/platform-mismatch')
    const asTurin = (policy: EndorsedSev, info: bigint) =>
      firstFault(settingsOf(report({ 0x40: u64(info) }), 'Turin', policy))?.code ?? 'good'
    expect(asTurin(turin, 0x64n)).toBe('good')
    expect(asTurin(genoa, INFO)).toBe('policy/platform-mismatch')
    expect(
      asTurin({ ...turin, platform_info: { ...turin.platform_info, iommu_write_safe: false } }, 0x24n),
    ).toBe('policy/platform-mismatch')
    const { fmc_spl: _, ...bare } = turin.minimum_launch_tcb
    expect(asTurin({ ...turin, minimum_launch_tcb: bare }, 0x64n)).toBe('policy/platform-mismatch')
  })
})

describe('firmware', () => {
  test('each component of each TCB is a floor of its own', () => {
    const policy = { ...genoa, minimum_tcb: { ...genoa.minimum_tcb, tee_spl: 0n } }
    const tcbs = { current: 0x38, reported: 0x180, committed: 0x1e0, launch: 0x1f0 }
    for (const [name, at] of Object.entries(tcbs)) {
      for (const [offset, value] of [
        [0, currentTcb.bootloader],
        [6, currentTcb.snp],
        [7, currentTcb.microcode],
      ] as const) {
        expect([name, offset, firmware({ [at + offset]: Buffer.of(value - 1) }, policy)]).toEqual([
          name,
          offset,
          'report/tcb-below-floor',
        ])
        // A higher component doesn't make up for a lower one.
        expect(
          firmware(
            { [at]: Buffer.of(255, 255, 0, 0, 0, 0, 255, 255), [at + offset]: Buffer.of(value - 1) },
            policy,
          ),
        ).toBe('report/tcb-below-floor')
      }
      expect([name, firmware({ [at + 2]: Buffer.of(1) })]).toEqual([name, 'report/tcb-reserved-bytes'])
      const tee = { ...genoa.minimum_tcb, tee_spl: 1n }
      expect(
        firmware(
          {},
          name === 'launch' ? { ...genoa, minimum_launch_tcb: tee } : { ...genoa, minimum_tcb: tee },
        ),
      ).toBe('report/tcb-below-floor')
    }
    // Floors of launch and of now are independent.
    const lowLaunch = { ...genoa, minimum_launch_tcb: { ...genoa.minimum_launch_tcb, snp_spl: 1n } }
    expect(firmware({ 0x1f6: Buffer.of(1) }, lowLaunch)).toBe('good')
  })

  test('build and API, current and committed', () => {
    const both = (build: number, minor: number, major: number): Patches => ({
      0x1e8: Buffer.of(build, minor, major),
      0x1ec: Buffer.of(build, minor, major),
    })
    expect([firmware(both(39, 55, 1)), firmware(both(40, 54, 1)), firmware(both(40, 99, 0))]).toEqual(
      Array(3).fill('report/firmware-below-floor'),
    )
    expect([firmware(both(41, 55, 1)), firmware(both(40, 0, 2))]).toEqual(['good', 'good'])
    for (const at of [0x1e8, 0x1ec])
      expect(firmware({ [at]: Buffer.of(39) })).toBe('report/firmware-below-floor')
  })

  test('current firmware that isn’t committed, unless it’s permitted', () => {
    const newer: readonly Patches[] = [
      { 0x1e8: Buffer.of(41) },
      { 0x1e9: Buffer.of(56) },
      { 0x1ea: Buffer.of(2) },
      { 0x3e: Buffer.of(24) },
    ]
    for (const patches of newer) {
      expect(firmware(patches)).toBe('report/provisional-firmware')
      expect(firmware(patches, { ...genoa, permit_provisional_firmware: true })).toBe('good')
    }
  })

  test('all bits of the mitigations are set, at launch and now', () => {
    const v5 = (launch: bigint, current: bigint): Patches => ({
      0x00: Buffer.of(5),
      0x1f8: u64(launch),
      0x200: u64(current),
    })
    const policy = {
      ...genoa,
      minimum_launch_mitigation_vector: 0b101n,
      minimum_current_mitigation_vector: 1n << 63n,
    }
    expect(firmware(v5(0b111n, 1n << 63n), policy)).toBe('good')
    expect([
      firmware(v5(0b110n, 1n << 63n), policy),
      firmware(v5(0b101n, 1n << 62n), policy),
      firmware({}, policy),
    ]).toEqual(Array(3).fill('report/mitigation-missing'))
  })
})

describe('a whole document under a stricter list', () => {
  const rules = (path: Path): Path => ['policies', 'sandbox-genoa', 'sev_snp', ...path]
  test.each<[string, Path, string | number | boolean, string]>([
    ['debug', ['guest_policy', 'debug'], true, 'v3/settings report/guest-policy-mismatch'],
    ['SMT off', ['guest_policy', 'smt'], false, 'v3/settings report/guest-policy-mismatch'],
    ['no TSME', ['platform_info', 'tsme_enabled'], false, 'v3/settings report/platform-mismatch'],
    ['VMPL 1', ['vmpl'], 1, 'v3/settings report/vmpl-mismatch'],
    ['host data', ['host_data'], '01'.padEnd(64, '0'), 'v3/settings report/identity-mismatch'],
    ['a newer launch', ['minimum_launch_tcb', 'snp_spl'], 24, 'v3/firmware report/tcb-below-floor'],
    ['a newer build', ['minimum_build'], 41, 'v3/firmware report/firmware-below-floor'],
    ['mitigations', ['minimum_current_mitigation_vector'], 1, 'v3/firmware report/mitigation-missing'],
  ])('%s', (_, path, value, refused) => {
    expect(
      enclave.verdict({
        platform: {
          predicate: (predicate) => Object(replaced(toJson(predicate), rules(path), value)) as object,
        },
      }),
    ).toEqual({ refused })
  })

  test('the launch TCB below the floor while the current one is above', () => {
    expect(enclave.verdict({ sev: { patches: { 0x1f6: Buffer.of(22) } } })).toEqual({
      refused: 'v3/firmware report/tcb-below-floor',
    })
    expect(sandboxPolicy.sevSnp?.products.Genoa?.minimumTcb.snp).toBeLessThan(22)
  })
})

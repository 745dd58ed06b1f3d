import type { AttestationCode } from '../codes.ts'
import type { SevProduct, Tcb } from '../policy.ts'
import { msg } from '../message.ts'
import {
  belowFloor,
  decodeTcb,
  describeTcb,
  sameTcb,
  type FirmwareVersion,
  type SevReport,
} from '../sev-snp/index.ts'
import { toHex } from '../text.ts'
import { same, type RuleOutcome } from './finding.ts'
import type { EndorsedSev } from './platform-endorsements.ts'

/** Bits of POLICY from 16 on (AMD 56860, "Guest Policy"). Bit 17 must always be one. */
const GUEST_BITS = {
  smt: 16,
  migrate_ma: 18,
  debug: 19,
  single_socket: 20,
  cxl_allowed: 21,
  mem_aes256_xts: 22,
  rapl_dis: 23,
  ciphertext_hiding_dram: 24,
  page_swap_disable: 25,
} as const satisfies Record<keyof EndorsedSev['guest_policy'], number>
const GUEST_ALWAYS_ONE = 1n << 17n
const ABI_BITS = 16n

/** Bits of PLATFORM_INFO. */
const PLATFORM_BITS = {
  smt_enabled: 0,
  tsme_enabled: 1,
  ecc_enabled: 2,
  rapl_disabled: 3,
  ciphertext_hiding_dram: 4,
  alias_check_complete: 5,
  iommu_write_safe: 6,
  tio_enabled: 7,
} as const satisfies Record<keyof EndorsedSev['platform_info'], number>

function bitsOf<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
  flags: Readonly<Record<Name, boolean>>,
): bigint {
  let bits = 0n
  for (const name in numbers) if (flags[name]) bits |= 1n << BigInt(numbers[name])
  return bits
}

const hexOfBits = (bits: bigint) => `0x${bits.toString(16)}`

/**
 * The settings of the guest and of its machine. Each must have exactly the value that the publisher signed.
 */
export function* settingsOf(
  report: SevReport,
  product: SevProduct,
  policy: EndorsedSev,
): Generator<RuleOutcome> {
  const guest = bitsOf(GUEST_BITS, policy.guest_policy) | GUEST_ALWAYS_ONE
  yield same(
    'report/guest-policy-mismatch',
    'POLICY',
    hexOfBits(guest),
    hexOfBits((report.guestPolicy >> ABI_BITS) << ABI_BITS),
  )
  const abi = { major: Number((report.guestPolicy >> 8n) & 0xffn), minor: Number(report.guestPolicy & 0xffn) }
  yield atLeast('report/guest-policy-mismatch', 'ABI', policy.minimum_abi_version, abi)
  yield same(
    'report/platform-mismatch',
    'PLATFORM_INFO',
    hexOfBits(bitsOf(PLATFORM_BITS, policy.platform_info)),
    hexOfBits(report.platformInfo),
  )
  yield same('report/vmpl-mismatch', 'VMPL', String(policy.vmpl), String(report.vmpl))
  yield same('report/identity-mismatch', 'HOST_DATA', policy.host_data, toHex(report.hostData))
  yield same('report/identity-mismatch', 'IMAGE_ID', policy.image_id, toHex(report.imageId))
  yield same('report/identity-mismatch', 'FAMILY_ID', policy.family_id, toHex(report.familyId))
  yield same('report/identity-mismatch', 'ID_KEY_DIGEST', '0'.repeat(96), toHex(report.idKeyDigest))
  yield same('report/identity-mismatch', 'AUTHOR_KEY_DIGEST', '0'.repeat(96), toHex(report.authorKeyDigest))
  yield same('report/identity-mismatch', 'AUTHOR_KEY_EN', '0', String(report.signerInfo & 1))
  yield {
    ...(BigInt(report.guestSvn) < policy.minimum_guest_svn && { code: 'report/identity-mismatch' }),
    expected: msg('guest SVN {least} or later', { least: String(policy.minimum_guest_svn) }),
    observed: String(report.guestSvn),
  }
  yield productRules(product, policy)
}

/**
 * The publisher's policy must fit the product in the report, even if the policy's name claims another
 * product.
 */
function productRules(product: SevProduct, policy: EndorsedSev): RuleOutcome {
  const floors = [policy.minimum_tcb, policy.minimum_launch_tcb]
  const fits =
    product === 'Turin'
      ? floors.every(({ fmc_spl: fmc }) => fmc !== undefined) && policy.platform_info.iommu_write_safe
      : floors.every(({ fmc_spl: fmc }) => fmc === undefined) && !policy.platform_info.iommu_write_safe
  return {
    ...(!fits && { code: 'policy/platform-mismatch' }),
    expected: msg('a policy for {product}', { product }),
    observed: fits ? msg('a policy for {product}', { product }) : msg('a policy for another product'),
  }
}

/**
 * The firmware's versions. Compares each component separately, because in a single number a high component
 * would hide a low one.
 */
export function* firmwareOf(
  report: SevReport,
  product: SevProduct,
  policy: EndorsedSev,
): Generator<RuleOutcome> {
  const floor = tcbOf(policy.minimum_tcb)
  yield tcbFinding('current', report.currentTcb, product, floor)
  yield tcbFinding('committed', report.committedTcb, product, floor)
  yield tcbFinding('reported', report.reportedTcb, product, floor)
  yield tcbFinding('launch', report.launchTcb, product, tcbOf(policy.minimum_launch_tcb))
  for (const firmware of [report.current, report.committed]) {
    yield atLeast('report/firmware-below-floor', 'API', policy.minimum_api_version, firmware)
    yield {
      ...(BigInt(firmware.build) < policy.minimum_build && { code: 'report/firmware-below-floor' }),
      expected: msg('build {least} or later', { least: String(policy.minimum_build) }),
      observed: msg('build {build}', { build: firmware.build }),
    }
  }
  if (!policy.permit_provisional_firmware) yield committedFinding(report, product)
  yield mitigationFinding(policy.minimum_launch_mitigation_vector, report.mitigations?.launch)
  yield mitigationFinding(policy.minimum_current_mitigation_vector, report.mitigations?.current)
}

function tcbOf({
  bl_spl: bootloader,
  tee_spl: tee,
  snp_spl: snp,
  ucode_spl: microcode,
  fmc_spl: fmc,
}: EndorsedSev['minimum_tcb']): Tcb {
  return {
    ...(fmc !== undefined && { fmc: Number(fmc) }),
    bootloader: Number(bootloader),
    tee: Number(tee),
    snp: Number(snp),
    microcode: Number(microcode),
  }
}

function tcbFinding(name: string, raw: Uint8Array, product: SevProduct, floor: Tcb): RuleOutcome {
  const tcb = decodeTcb(raw, product)
  const code: AttestationCode | undefined = !tcb
    ? 'report/tcb-reserved-bytes'
    : belowFloor(tcb, floor).length > 0
      ? 'report/tcb-below-floor'
      : undefined
  return {
    ...(code && { code }),
    expected: describeTcb(floor),
    observed: `${name}: ${tcb ? describeTcb(tcb) : toHex(raw)}`,
  }
}

function committedFinding(
  { current, committed, currentTcb, committedTcb }: SevReport,
  product: SevProduct,
): RuleOutcome {
  const [now, fallback] = [decodeTcb(currentTcb, product), decodeTcb(committedTcb, product)]
  const committedToo =
    now !== undefined &&
    fallback !== undefined &&
    sameTcb(now, fallback) &&
    describe(current) === describe(committed)
  return {
    ...(!committedToo && { code: 'report/provisional-firmware' }),
    expected: msg('current and committed firmware the same'),
    observed: msg('{current} in use, {committed} committed', {
      current: describe(current),
      committed: describe(committed),
    }),
  }
}

/** Reports before version 5 state no mitigations, so none count. */
function mitigationFinding(required: bigint, active = 0n): RuleOutcome {
  return {
    ...((active & required) !== required && { code: 'report/mitigation-missing' }),
    expected: msg('with mitigations {mitigations}', { mitigations: hexOfBits(required) }),
    observed: msg('with mitigations {mitigations}', { mitigations: hexOfBits(active) }),
  }
}

type Version = Pick<FirmwareVersion, 'major' | 'minor'>

function atLeast(code: AttestationCode, name: string, least: Version, version: Version): RuleOutcome {
  const below = version.major < least.major || (version.major === least.major && version.minor < least.minor)
  return {
    ...(below && { code }),
    expected: `${name} ${least.major}.${least.minor}+`,
    observed: `${name} ${version.major}.${version.minor}`,
  }
}

function describe({ major, minor, build }: FirmwareVersion): string {
  return `${major}.${minor}.${build}`
}

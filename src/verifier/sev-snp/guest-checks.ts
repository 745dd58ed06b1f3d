import type { AttestationCode } from '../codes.ts'
import type { SevPlatformRule, SevPolicy, SevProduct, Tcb } from '../policy.ts'
import { say, type Said } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { listed, toHex, type Words } from '../words.ts'
import {
  decodeGuestPolicy,
  decodePlatformInfo,
  decodeSignerInfo,
  type GuestPolicy,
  type PlatformInfo,
  type SignerInfo,
} from './flags.ts'
import type { SevStep } from './plan.ts'
import type { FirmwareVersion, SevReport } from './report.ts'
import { belowFloor, decodeTcb, describeTcb, sameTcb } from './tcb.ts'

type Finding = readonly [code: AttestationCode | undefined, observed: Words]

/** Judges what an authenticated report says of the guest and its machine. Ends at the first failure. */
export function checkGuest(
  checks: Checklist<SevStep>,
  report: SevReport,
  product: SevProduct,
  policy: SevPolicy,
): void {
  checks.record(
    'report/signer',
    ...expecting(say('a VCEK'), judgeSigner(decodeSignerInfo(report.signerInfo))),
  )
  const guest = decodeGuestPolicy(report.guestPolicy)
  checks.record(
    'report/debug',
    guest.debug ? 'report/debug-guest' : undefined,
    say('debugging not allowed'),
    guest.debug ? say('debugging allowed') : say('debugging not allowed'),
  )
  checks.record(
    'report/migration',
    guest.migrateMa ? 'report/migration-allowed' : undefined,
    say('migration not allowed'),
    guest.migrateMa ? say('migration allowed') : say('migration not allowed'),
  )
  checks.record(
    'report/guest-policy',
    ...expecting(describeGuestRule(policy), judgeGuestPolicy(guest, report.guestPolicy, policy)),
  )
  checks.record(
    'report/identity',
    ...expecting(say('host data, IDs and keys as the policy states'), judgeIdentity(report, policy)),
  )
  checks.record(
    'report/vmpl',
    report.vmpl === policy.vmpl ? undefined : 'report/vmpl-mismatch',
    `VMPL ${policy.vmpl}`,
    `VMPL ${report.vmpl}`,
  )

  const rule = policy.products[product]
  const floor = rule?.minimumTcb
  checks.record(
    'report/tcb',
    ...expecting(
      floor ? describeTcb(floor) : say('a floor'),
      floor ? judgeTcbs(report, product, floor) : ['vcek/product-not-accepted', product],
    ),
  )
  checks.record(
    'report/committed-firmware',
    ...expecting(say('current and committed firmware the same'), judgeCommitted(report, product)),
  )
  const least = {
    ...(rule?.minimumApi ?? policy.minimumApi),
    build: rule?.minimumBuild ?? policy.minimumBuild,
  }
  const mitigations = BigInt(`0x${rule?.requiredMitigations ?? '0'}`)
  const { major, minor, build } = least
  const lowest = listed([
    say('API {major}.{minor} and build {build}, or later', { major, minor, build }),
    ...(mitigations === 0n
      ? []
      : [say('with mitigations {mitigations}', { mitigations: hexOf(mitigations) })]),
  ])
  checks.record('report/firmware-version', ...expecting(lowest, judgeFirmware(report, least, mitigations)))
  const platform = rule?.platform ?? policy.platform
  checks.record(
    'report/platform',
    ...expecting(
      describePlatformRule(platform, policy),
      judgePlatform(decodePlatformInfo(report.platformInfo, product), report.platformInfo, platform, policy),
    ),
  )
}

function expecting(
  expected: Words,
  [code, observed]: Finding,
): [code: AttestationCode | undefined, expected: Words, observed: Words] {
  return [code, expected, observed]
}

function judgeSigner({ key, reservedBitsHold }: SignerInfo): Finding {
  if (key === 'vlek') return ['report/signer-is-vlek', say('a VLEK')]
  if (key !== 'vcek') return ['report/signer-unknown', say('a key of another kind')]
  return reservedBitsHold
    ? [undefined, say('a VCEK')]
    : ['report/signer-reserved-bits', say('reserved bits set')]
}

/** Compares the fields that a guest's owner can set with the policy. Another value may change the behavior of the code. */
function judgeIdentity(report: SevReport, { identity }: SevPolicy): Finding {
  if (decodeSignerInfo(report.signerInfo).authorKey) return ['report/identity-mismatch', say('an author key')]
  if (report.guestSvn !== identity.guestSvn)
    return ['report/identity-mismatch', say('guestSvn {guestSvn}', { guestSvn: report.guestSvn })]
  const { hostData, familyId, imageId, idKeyDigest, authorKeyDigest } = report
  const fields = { hostData, familyId, imageId, idKeyDigest, authorKeyDigest }
  for (const name of ['hostData', 'familyId', 'imageId', 'idKeyDigest', 'authorKeyDigest'] as const) {
    if (toHex(fields[name]) !== identity[name])
      return ['report/identity-mismatch', `${name} ${toHex(fields[name])}`]
  }
  return [undefined, say('host data, IDs and keys as the policy states')]
}

function judgeGuestPolicy(guest: GuestPolicy, raw: bigint, policy: SevPolicy): Finding {
  if (!guest.reservedBitsHold)
    return ['report/guest-policy-reserved-bits', say('reserved bits with wrong values')]
  if (guest.cxl) return ['report/cxl-allowed', say('CXL allowed')]
  if (guest.smt && !policy.guest.allowSmt) return ['report/smt-allowed', say('SMT allowed')]
  if (guest.singleSocket && !policy.guest.allowSingleSocketOnly)
    return ['report/single-socket-only', say('single socket only')]
  if (!isExactly(raw, policy.guest.policy)) return ['report/guest-policy-mismatch', hexOf(raw)]
  return [
    undefined,
    listed([
      guest.smt ? say('SMT allowed') : say('SMT not allowed'),
      say('CXL not allowed'),
      guest.singleSocket ? say('single socket only') : say('any number of sockets'),
    ]),
  ]
}

function describeGuestRule({ guest }: SevPolicy): Words {
  return listed([
    say('no reserved bit'),
    say('CXL not allowed'),
    ...(guest.allowSmt ? [] : [say('SMT not allowed')]),
    ...(guest.allowSingleSocketOnly ? [] : [say('any number of sockets')]),
    ...exactly(guest.policy),
  ])
}

function tcbsOf({
  currentTcb: current,
  committedTcb: committed,
  reportedTcb: reported,
  launchTcb: launch,
}: SevReport): Readonly<Record<string, Uint8Array>> {
  return { current, committed, reported, launch }
}

/**
 * Whether a report that passed checkGuest has older firmware than genuine machines report. One of its four TCBs is enough.
 *
 * @returns false for a product whose policy doesn't say what genuine machines report
 */
export function isBelowExpected(report: SevReport, product: SevProduct, { products }: SevPolicy): boolean {
  const expected = products[product]?.expectedTcb
  if (!expected) return false
  return Object.values(tcbsOf(report)).some((raw) => {
    const tcb = decodeTcb(raw, product)
    return tcb === undefined || belowFloor(tcb, expected).length > 0
  })
}

/** All four are held to the floor: an old launch or a rolled-back reported TCB would be judged by the newest one otherwise. */
function judgeTcbs(report: SevReport, product: SevProduct, floor: Tcb): Finding {
  for (const [name, raw] of Object.entries(tcbsOf(report))) {
    const tcb = decodeTcb(raw, product)
    if (!tcb) return ['report/tcb-reserved-bytes', say('reserved bytes set in the {name} TCB', { name })]
    if (belowFloor(tcb, floor).length > 0) return ['report/tcb-below-floor', `${name}: ${describeTcb(tcb)}`]
  }
  const current = decodeTcb(report.currentTcb, product)
  return [undefined, current ? describeTcb(current) : '']
}

/** What is not committed is provisional: the host may go back to older firmware while the guest runs. */
function judgeCommitted(report: SevReport, product: SevProduct): Finding {
  const current = decodeTcb(report.currentTcb, product)
  const committed = decodeTcb(report.committedTcb, product)
  const same =
    current !== undefined &&
    committed !== undefined &&
    sameTcb(current, committed) &&
    compareVersions(report.current, report.committed) === 0 &&
    report.current.build === report.committed.build
  return same
    ? [undefined, describeVersion(report.committed)]
    : [
        'report/provisional-firmware',
        say('{current} in use, {committed} committed', {
          current: describeVersion(report.current),
          committed: describeVersion(report.committed),
        }),
      ]
}

/** Build and API are floors of their own: a later API may count its builds anew, and then the policy says so. */
function judgeFirmware(
  { current, committed, mitigations }: SevReport,
  least: FirmwareVersion,
  required: bigint,
): Finding {
  const holds = (version: FirmwareVersion) =>
    compareVersions(version, least) >= 0 && version.build >= least.build
  const observed = describeVersion(holds(current) ? committed : current)
  if (!holds(current) || !holds(committed)) return ['report/firmware-below-floor', observed]
  const made = mitigations ? mitigations.launch & mitigations.current : 0n
  return (made & required) === required
    ? [undefined, observed]
    : [
        'report/mitigation-missing',
        listed([observed, say('with mitigations {mitigations}', { mitigations: hexOf(made) })]),
      ]
}

const isExactly = (raw: bigint, stated: string | undefined) =>
  stated === undefined || raw === BigInt(`0x${stated}`)
const exactly = (stated: string | undefined) =>
  stated === undefined ? [] : [say('exactly {value}', { value: hexOf(BigInt(`0x${stated}`)) })]
const hexOf = (bits: bigint) => `0x${bits.toString(16)}`

/** By API alone. */
function compareVersions(a: FirmwareVersion, b: FirmwareVersion): number {
  return a.major - b.major || a.minor - b.minor
}

function describeVersion({ major, minor, build }: FirmwareVersion): Said {
  return say('API {major}.{minor}, build {build}', { major, minor, build })
}

function judgePlatform(
  platform: PlatformInfo,
  raw: bigint,
  rule: SevPlatformRule,
  { guest }: SevPolicy,
): Finding {
  if (!platform.reservedBitsHold) return ['report/platform-reserved-bits', say('reserved bits set')]
  if (platform.smt && !guest.allowSmt) return ['report/smt-enabled', say('SMT on')]
  if (!platform.tsme && rule.requireTsme) return ['report/tsme-off', say('TSME off')]
  if (!platform.ecc && rule.requireEcc) return ['report/ecc-off', say('no ECC memory')]
  if (!platform.aliasCheck && rule.requireAliasCheck)
    return ['report/alias-check-missing', say('memory not checked for aliases')]
  if (!isExactly(raw, rule.info)) return ['report/platform-mismatch', hexOf(raw)]
  return [
    undefined,
    listed([
      platform.smt ? say('SMT on') : say('SMT off'),
      platform.tsme ? say('TSME on') : say('TSME off'),
      platform.ecc ? say('ECC on') : say('ECC off'),
      platform.aliasCheck ? say('alias check passed') : say('alias check not run'),
    ]),
  ]
}

function describePlatformRule(rule: SevPlatformRule, { guest }: SevPolicy): Words {
  const rules = [
    ...(guest.allowSmt ? [] : [say('SMT off')]),
    ...(rule.requireTsme ? [say('TSME on')] : []),
    ...(rule.requireEcc ? [say('ECC on')] : []),
    ...(rule.requireAliasCheck ? [say('alias check passed')] : []),
    ...exactly(rule.info),
  ]
  return listed([say('no reserved bit'), ...rules])
}

import type { AttestationCode } from '../codes.ts'
import type { SevPlatformRule, SevPolicy, SevProduct, Tcb } from '../policy.ts'
import { msg, type LocalizedText } from '../message.ts'
import { passUnless, type Finding } from '../steps.ts'
import { listed, toHex, type Text } from '../text.ts'
import {
  decodeGuestPolicy,
  decodePlatformInfo,
  decodeSignerInfo,
  type GuestPolicy,
  type PlatformInfo,
  type SignerInfo,
} from './flags.ts'
import type { FirmwareVersion, SevReport } from './report.ts'
import { belowFloor, decodeTcb, describeTcb, sameTcb } from './tcb.ts'

type Outcome = readonly [code: AttestationCode | undefined, observed: Text]

/** An authenticated report, and the product whose rules apply. */
interface SignedReport {
  readonly report: SevReport
  readonly product: SevProduct
}

function expecting(expected: Text, [code, observed]: Outcome): Finding {
  return passUnless(code, expected, observed)
}

/** Only the chip’s own key may sign. Fails with `report/signer-…`. */
export function checkSigner({ report }: SignedReport): Finding {
  return expecting(msg('a VCEK'), verifySigner(decodeSignerInfo(report.signerInfo)))
}

/** The host can read a guest that may be debugged. Fails with `report/debug-guest`. */
export function checkDebug({ report }: SignedReport): Finding {
  const { debug } = decodeGuestPolicy(report.guestPolicy)
  return passUnless(
    debug ? 'report/debug-guest' : undefined,
    msg('debugging not allowed'),
    debug ? msg('debugging allowed') : msg('debugging not allowed'),
  )
}

/** A migration agent could move the guest to a machine that nobody verified. Fails with `report/migration-allowed`. */
export function checkMigration({ report }: SignedReport): Finding {
  const { migrateMa } = decodeGuestPolicy(report.guestPolicy)
  return passUnless(
    migrateMa ? 'report/migration-allowed' : undefined,
    msg('migration not allowed'),
    migrateMa ? msg('migration allowed') : msg('migration not allowed'),
  )
}

/** Compares the guest policy with the rules for it. Each rule has its own code `report/…`. */
export function checkGuestPolicy({ report }: SignedReport, policy: SevPolicy): Finding {
  const guest = decodeGuestPolicy(report.guestPolicy)
  return expecting(describeGuestRule(policy), verifyGuestPolicy(guest, report.guestPolicy, policy))
}

/**
 * Compares the fields that a guest's owner can set with the policy, because another value may change how the
 * code behaves.
 */
export function checkIdentity({ report }: SignedReport, policy: SevPolicy): Finding {
  return expecting(msg('host data, IDs and keys as the policy states'), verifyIdentity(report, policy))
}

/** Another privilege level runs other code. Fails with `report/vmpl-mismatch`. */
export function checkVmpl({ report: { vmpl } }: SignedReport, policy: SevPolicy): Finding {
  return passUnless(
    vmpl === policy.vmpl ? undefined : 'report/vmpl-mismatch',
    `VMPL ${policy.vmpl}`,
    `VMPL ${vmpl}`,
  )
}

/**
 * All four TCBs must meet the minimum. Fails with `report/tcb-…`, or `vcek/product-not-accepted` if there is
 * no minimum.
 */
export function checkTcb({ report, product }: SignedReport, { products }: SevPolicy): Finding {
  const floor = products[product]?.minimumTcb
  return expecting(
    floor ? describeTcb(floor) : msg('a floor'),
    floor ? verifyTcbs(report, product, floor) : ['vcek/product-not-accepted', product],
  )
}

/** Firmware that isn’t committed can be rolled back. Fails with `report/provisional-firmware`. */
export function checkCommitted({ report, product }: SignedReport): Finding {
  return expecting(msg('current and committed firmware the same'), verifyCommitted(report, product))
}

/** Fails with `report/firmware-below-floor` or `report/mitigation-missing`. */
export function checkFirmware({ report, product }: SignedReport, policy: SevPolicy): Finding {
  const rule = policy.products[product]
  const least = {
    ...(rule?.minimumApi ?? policy.minimumApi),
    build: rule?.minimumBuild ?? policy.minimumBuild,
  }
  const mitigations = BigInt(`0x${rule?.requiredMitigations ?? '0'}`)
  const { major, minor, build } = least
  const lowest = listed([
    msg('API {major}.{minor} and build {build}, or later', { major, minor, build }),
    ...(mitigations === 0n
      ? []
      : [msg('with mitigations {mitigations}', { mitigations: hexOf(mitigations) })]),
  ])
  return expecting(lowest, verifyFirmware(report, least, mitigations))
}

/** Compares the memory’s configuration with the rules for it. Each rule has its own code `report/…`. */
export function checkPlatform({ report, product }: SignedReport, policy: SevPolicy): Finding {
  const rule = policy.products[product]?.platform ?? policy.platform
  return expecting(
    describePlatformRule(rule, policy),
    verifyPlatform(decodePlatformInfo(report.platformInfo, product), report.platformInfo, rule, policy),
  )
}

function verifySigner({ key, reservedBitsHold }: SignerInfo): Outcome {
  if (key === 'vlek') return ['report/signer-is-vlek', msg('a VLEK')]
  if (key !== 'vcek') return ['report/signer-unknown', msg('a key of another kind')]
  return reservedBitsHold
    ? [undefined, msg('a VCEK')]
    : ['report/signer-reserved-bits', msg('reserved bits set')]
}

function verifyIdentity(report: SevReport, { identity }: SevPolicy): Outcome {
  if (decodeSignerInfo(report.signerInfo).authorKey) return ['report/identity-mismatch', msg('an author key')]
  if (report.guestSvn !== identity.guestSvn)
    return ['report/identity-mismatch', msg('guestSvn {guestSvn}', { guestSvn: report.guestSvn })]
  const { hostData, familyId, imageId, idKeyDigest, authorKeyDigest } = report
  const fields = { hostData, familyId, imageId, idKeyDigest, authorKeyDigest }
  for (const name of ['hostData', 'familyId', 'imageId', 'idKeyDigest', 'authorKeyDigest'] as const) {
    if (toHex(fields[name]) !== identity[name])
      return ['report/identity-mismatch', `${name} ${toHex(fields[name])}`]
  }
  return [undefined, msg('host data, IDs and keys as the policy states')]
}

function verifyGuestPolicy(guest: GuestPolicy, raw: bigint, policy: SevPolicy): Outcome {
  if (!guest.reservedBitsHold)
    return ['report/guest-policy-reserved-bits', msg('reserved bits with wrong values')]
  if (guest.cxl) return ['report/cxl-allowed', msg('CXL allowed')]
  if (guest.smt && !policy.guest.allowSmt) return ['report/smt-allowed', msg('SMT allowed')]
  if (guest.singleSocket && !policy.guest.allowSingleSocketOnly)
    return ['report/single-socket-only', msg('single socket only')]
  if (!isExactly(raw, policy.guest.policy)) return ['report/guest-policy-mismatch', hexOf(raw)]
  return [
    undefined,
    listed([
      guest.smt ? msg('SMT allowed') : msg('SMT not allowed'),
      msg('CXL not allowed'),
      guest.singleSocket ? msg('single socket only') : msg('any number of sockets'),
    ]),
  ]
}

function describeGuestRule({ guest }: SevPolicy): Text {
  return listed([
    msg('no reserved bit'),
    msg('CXL not allowed'),
    ...(guest.allowSmt ? [] : [msg('SMT not allowed')]),
    ...(guest.allowSingleSocketOnly ? [] : [msg('any number of sockets')]),
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
 * Whether a report that passed checkGuest has older firmware than genuine machines report. One of its four
 * TCBs is enough.
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

/**
 * Checks all four against the minimum. Otherwise the newest TCB would hide an old launch TCB or a rolled-back
 * reported TCB.
 */
function verifyTcbs(report: SevReport, product: SevProduct, floor: Tcb): Outcome {
  for (const [name, raw] of Object.entries(tcbsOf(report))) {
    const tcb = decodeTcb(raw, product)
    if (!tcb) return ['report/tcb-reserved-bytes', msg('reserved bytes set in the {name} TCB', { name })]
    if (belowFloor(tcb, floor).length > 0) return ['report/tcb-below-floor', `${name}: ${describeTcb(tcb)}`]
  }
  const current = decodeTcb(report.currentTcb, product)
  return [undefined, current ? describeTcb(current) : '']
}

/** The host may return to older firmware while the guest runs, unless the current firmware is committed. */
function verifyCommitted(report: SevReport, product: SevProduct): Outcome {
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
        msg('{current} in use, {committed} committed', {
          current: describeVersion(report.current),
          committed: describeVersion(report.committed),
        }),
      ]
}

/**
 * Build and API have separate minimums. If a later API restarts its build numbers, the policy states a
 * minimum for it.
 */
function verifyFirmware(
  { current, committed, mitigations }: SevReport,
  least: FirmwareVersion,
  required: bigint,
): Outcome {
  const holds = (version: FirmwareVersion) =>
    compareVersions(version, least) >= 0 && version.build >= least.build
  const observed = describeVersion(holds(current) ? committed : current)
  if (!holds(current) || !holds(committed)) return ['report/firmware-below-floor', observed]
  const active = mitigations ? mitigations.launch & mitigations.current : 0n
  return (active & required) === required
    ? [undefined, observed]
    : [
        'report/mitigation-missing',
        listed([observed, msg('with mitigations {mitigations}', { mitigations: hexOf(active) })]),
      ]
}

const isExactly = (raw: bigint, stated: string | undefined) =>
  stated === undefined || raw === BigInt(`0x${stated}`)
const exactly = (stated: string | undefined) =>
  stated === undefined ? [] : [msg('exactly {value}', { value: hexOf(BigInt(`0x${stated}`)) })]
const hexOf = (bits: bigint) => `0x${bits.toString(16)}`

/** Compares only the API version. */
function compareVersions(a: FirmwareVersion, b: FirmwareVersion): number {
  return a.major - b.major || a.minor - b.minor
}

function describeVersion({ major, minor, build }: FirmwareVersion): LocalizedText {
  return msg('API {major}.{minor}, build {build}', { major, minor, build })
}

function verifyPlatform(
  platform: PlatformInfo,
  raw: bigint,
  rule: SevPlatformRule,
  { guest }: SevPolicy,
): Outcome {
  if (!platform.reservedBitsHold) return ['report/platform-reserved-bits', msg('reserved bits set')]
  if (platform.smt && !guest.allowSmt) return ['report/smt-enabled', msg('SMT on')]
  if (!platform.tsme && rule.requireTsme) return ['report/tsme-off', msg('TSME off')]
  if (!platform.ecc && rule.requireEcc) return ['report/ecc-off', msg('no ECC memory')]
  if (!platform.aliasCheck && rule.requireAliasCheck)
    return ['report/alias-check-missing', msg('memory not checked for aliases')]
  if (!isExactly(raw, rule.info)) return ['report/platform-mismatch', hexOf(raw)]
  return [
    undefined,
    listed([
      platform.smt ? msg('SMT on') : msg('SMT off'),
      platform.tsme ? msg('TSME on') : msg('TSME off'),
      platform.ecc ? msg('ECC on') : msg('ECC off'),
      platform.aliasCheck ? msg('alias check passed') : msg('alias check not run'),
    ]),
  ]
}

function describePlatformRule(rule: SevPlatformRule, { guest }: SevPolicy): Text {
  const rules = [
    ...(guest.allowSmt ? [] : [msg('SMT off')]),
    ...(rule.requireTsme ? [msg('TSME on')] : []),
    ...(rule.requireEcc ? [msg('ECC on')] : []),
    ...(rule.requireAliasCheck ? [msg('alias check passed')] : []),
    ...exactly(rule.info),
  ]
  return listed([msg('no reserved bit'), ...rules])
}

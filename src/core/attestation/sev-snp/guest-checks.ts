import type { AttestationCode } from '../../../shared/attestation-codes.ts'
import type { SevPlatformRule, SevPolicy, SevProduct, Tcb } from '../../../shared/policy/sev-snp.ts'
import type { Checklist } from '../checklist.ts'
import { decodeGuestPolicy, decodePlatformInfo, decodeSignerInfo, type GuestPolicy, type PlatformInfo, type SignerInfo } from './flags.ts'
import type { SevStep } from './plan.ts'
import type { FirmwareVersion, SevReport } from './report.ts'
import { toHex } from '../words.ts'
import { belowFloor, decodeTcb, describeTcb, sameTcb } from './tcb.ts'

type Finding = readonly [code: AttestationCode | undefined, observed: string]

/** Judges what an authenticated report says of the guest and its machine. Ends at the first failure. */
export function checkGuest(checks: Checklist<SevStep>, report: SevReport, product: SevProduct, policy: SevPolicy): void {
  checks.record('report/signer', ...expecting('a VCEK', judgeSigner(decodeSignerInfo(report.signerInfo))))
  const guest = decodeGuestPolicy(report.guestPolicy)
  checks.record('report/debug', guest.debug ? 'report/debug-guest' : undefined, 'debugging not allowed', allowed('debugging', guest.debug))
  checks.record('report/migration', guest.migrateMa ? 'report/migration-allowed' : undefined, 'migration not allowed', allowed('migration', guest.migrateMa))
  checks.record('report/guest-policy', ...expecting(describeGuestRule(policy), judgeGuestPolicy(guest, report.guestPolicy, policy)))
  checks.record('report/identity', ...expecting('host data, IDs and keys as the policy states', judgeIdentity(report, policy)))
  checks.record('report/vmpl', report.vmpl === policy.vmpl ? undefined : 'report/vmpl-mismatch', `VMPL ${policy.vmpl}`, `VMPL ${report.vmpl}`)

  const rule = policy.products[product]
  const floor = rule?.minimumTcb
  checks.record('report/tcb', ...expecting(floor ? describeTcb(floor) : 'a floor', floor ? judgeTcbs(report, product, floor) : ['vcek/product-not-accepted', product]))
  checks.record('report/committed-firmware', ...expecting('current and committed firmware the same', judgeCommitted(report, product)))
  const least = { ...rule?.minimumApi ?? policy.minimumApi, build: rule?.minimumBuild ?? policy.minimumBuild }
  const mitigations = BigInt(`0x${rule?.requiredMitigations ?? '0'}`)
  const withMitigations = mitigations === 0n ? '' : `, with mitigations ${hexOf(mitigations)}`
  checks.record('report/firmware-version', ...expecting(`API ${least.major}.${least.minor} and build ${least.build}, or later${withMitigations}`, judgeFirmware(report, least, mitigations)))
  const platform = rule?.platform ?? policy.platform
  checks.record('report/platform', ...expecting(describePlatformRule(platform, policy), judgePlatform(decodePlatformInfo(report.platformInfo, product), report.platformInfo, platform, policy)))
}

function expecting(expected: string, [code, observed]: Finding): [code: AttestationCode | undefined, expected: string, observed: string] {
  return [code, expected, observed]
}

function judgeSigner({ key, reservedBitsHold }: SignerInfo): Finding {
  if (key === 'vlek') return ['report/signer-is-vlek', 'a VLEK']
  if (key !== 'vcek') return ['report/signer-unknown', 'a key of another kind']
  return reservedBitsHold ? [undefined, 'a VCEK'] : ['report/signer-reserved-bits', 'reserved bits set']
}

/** Compares the fields that a guest's owner can set with the policy. Another value may change the behavior of the code. */
function judgeIdentity(report: SevReport, { identity }: SevPolicy): Finding {
  if (decodeSignerInfo(report.signerInfo).authorKey) return ['report/identity-mismatch', 'an author key']
  if (report.guestSvn !== identity.guestSvn) return ['report/identity-mismatch', `guestSvn ${report.guestSvn}`]
  const { hostData, familyId, imageId, idKeyDigest, authorKeyDigest } = report
  const fields = { hostData, familyId, imageId, idKeyDigest, authorKeyDigest }
  for (const name of ['hostData', 'familyId', 'imageId', 'idKeyDigest', 'authorKeyDigest'] as const) {
    if (toHex(fields[name]) !== identity[name]) return ['report/identity-mismatch', `${name} ${toHex(fields[name])}`]
  }
  return [undefined, 'host data, IDs and keys as the policy states']
}

function judgeGuestPolicy(guest: GuestPolicy, raw: bigint, policy: SevPolicy): Finding {
  if (!guest.reservedBitsHold) return ['report/guest-policy-reserved-bits', 'reserved bits with wrong values']
  if (guest.cxl) return ['report/cxl-allowed', 'CXL allowed']
  if (guest.smt && !policy.guest.allowSmt) return ['report/smt-allowed', 'SMT allowed']
  if (guest.singleSocket && !policy.guest.allowSingleSocketOnly) return ['report/single-socket-only', 'single socket only']
  if (!isExactly(raw, policy.guest.policy)) return ['report/guest-policy-mismatch', hexOf(raw)]
  return [undefined, `${allowed('SMT', guest.smt)}, ${allowed('CXL', false)}, ${guest.singleSocket ? 'single socket only' : 'any number of sockets'}`]
}

function describeGuestRule({ guest }: SevPolicy): string {
  return ['no reserved bit', 'CXL not allowed', ...(guest.allowSmt ? [] : ['SMT not allowed']), ...(guest.allowSingleSocketOnly ? [] : ['any number of sockets']), ...exactly(guest.policy)].join(', ')
}

/** All four are held to the floor: an old launch or a rolled-back reported TCB would be judged by the newest one otherwise. */
function judgeTcbs(report: SevReport, product: SevProduct, floor: Tcb): Finding {
  const tcbs = { current: report.currentTcb, committed: report.committedTcb, reported: report.reportedTcb, launch: report.launchTcb }
  for (const [name, raw] of Object.entries(tcbs)) {
    const tcb = decodeTcb(raw, product)
    if (!tcb) return ['report/tcb-reserved-bytes', `reserved bytes set in the ${name} TCB`]
    if (belowFloor(tcb, floor).length > 0) return ['report/tcb-below-floor', `${name}: ${describeTcb(tcb)}`]
  }
  const current = decodeTcb(report.currentTcb, product)
  return [undefined, current ? describeTcb(current) : '']
}

/** What is not committed is provisional: the host may go back to older firmware while the guest runs. */
function judgeCommitted(report: SevReport, product: SevProduct): Finding {
  const current = decodeTcb(report.currentTcb, product)
  const committed = decodeTcb(report.committedTcb, product)
  const same = current !== undefined && committed !== undefined && sameTcb(current, committed)
    && compareVersions(report.current, report.committed) === 0 && report.current.build === report.committed.build
  return same
    ? [undefined, describeVersion(report.committed)]
    : ['report/provisional-firmware', `${describeVersion(report.current)} in use, ${describeVersion(report.committed)} committed`]
}

/** Build and API are floors of their own: a later API may count its builds anew, and then the policy says so. */
function judgeFirmware({ current, committed, mitigations }: SevReport, least: FirmwareVersion, required: bigint): Finding {
  const holds = (version: FirmwareVersion) => compareVersions(version, least) >= 0 && version.build >= least.build
  const observed = describeVersion(holds(current) ? committed : current)
  if (!holds(current) || !holds(committed)) return ['report/firmware-below-floor', observed]
  const made = mitigations ? mitigations.launch & mitigations.current : 0n
  return (made & required) === required ? [undefined, observed] : ['report/mitigation-missing', `${observed}, with mitigations ${hexOf(made)}`]
}

const isExactly = (raw: bigint, stated: string | undefined) => stated === undefined || raw === BigInt(`0x${stated}`)
const exactly = (stated: string | undefined) => (stated === undefined ? [] : [`exactly ${hexOf(BigInt(`0x${stated}`))}`])
const hexOf = (bits: bigint) => `0x${bits.toString(16)}`

/** By API alone. */
function compareVersions(a: FirmwareVersion, b: FirmwareVersion): number {
  return a.major - b.major || a.minor - b.minor
}

function describeVersion({ major, minor, build }: FirmwareVersion): string {
  return `API ${major}.${minor}, build ${build}`
}

function judgePlatform(platform: PlatformInfo, raw: bigint, rule: SevPlatformRule, { guest }: SevPolicy): Finding {
  if (!platform.reservedBitsHold) return ['report/platform-reserved-bits', 'reserved bits set']
  if (platform.smt && !guest.allowSmt) return ['report/smt-enabled', 'SMT on']
  if (!platform.tsme && rule.requireTsme) return ['report/tsme-off', 'TSME off']
  if (!platform.ecc && rule.requireEcc) return ['report/ecc-off', 'no ECC memory']
  if (!platform.aliasCheck && rule.requireAliasCheck) return ['report/alias-check-missing', 'memory not checked for aliases']
  if (!isExactly(raw, rule.info)) return ['report/platform-mismatch', hexOf(raw)]
  return [undefined, [
    `SMT ${onOff(platform.smt)}`, `TSME ${onOff(platform.tsme)}`, `ECC ${onOff(platform.ecc)}`, `alias check ${platform.aliasCheck ? 'passed' : 'not run'}`,
  ].join(', ')]
}

function describePlatformRule(rule: SevPlatformRule, { guest }: SevPolicy): string {
  const rules = [
    ...(guest.allowSmt ? [] : ['SMT off']),
    ...(rule.requireTsme ? ['TSME on'] : []),
    ...(rule.requireEcc ? ['ECC on'] : []),
    ...(rule.requireAliasCheck ? ['alias check passed'] : []),
    ...exactly(rule.info),
  ]
  return ['no reserved bit', ...rules].join(', ')
}

const allowed = (what: string, is: boolean) => `${what} ${is ? '' : 'not '}allowed`
const onOff = (is: boolean) => (is ? 'on' : 'off')

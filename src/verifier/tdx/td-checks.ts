import type { AttestationCode } from '../codes.ts'
import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { isZero } from '../is-zero.ts'
import { toHex } from '../text.ts'
import { attributesReservedBits, decodeTdAttributes, xfamFault } from './attributes.ts'
import type { TdxStep } from './plan.ts'
import type { TdReport } from './quote.ts'

const NO_SERVICE_TD = '0'.repeat(96)

/** Judges what an authenticated quote says of the trust domain. Ends at the first failure. */
export function checkTrustDomain(checks: Checklist<TdxStep>, td: TdReport, policy: TdxPolicy): void {
  const { debug } = decodeTdAttributes(td.tdAttributes)
  // No policy can ask for debugging.
  checks.record(
    'td/debug',
    debug ? 'td/debug' : undefined,
    msg('debugging not allowed'),
    debug ? msg('debugging allowed') : msg('debugging not allowed'),
  )

  const reserved = attributesReservedBits(td.tdAttributes) ? 'td/attributes-reserved-bits' : undefined
  checkSame(checks, 'td/attributes', policy.tdAttributes, td.tdAttributes, 'td/attributes-mismatch', reserved)
  const xfam = xfamFault(td.xfam)
  checkSame(checks, 'td/xfam', policy.xfam, td.xfam, 'td/xfam-mismatch', xfam && `td/xfam-${xfam}`)

  const mrSeam = toHex(td.mrSeam)
  checks.record(
    'td/module',
    policy.mrSeam.includes(mrSeam) ? undefined : 'td/module-not-accepted',
    policy.mrSeam.join(', '),
    mrSeam,
  )
  checkConfiguration(checks, td, policy)
  checkTeeTcb(checks, td, policy)
  const rtmr3 = td.rtmrs[3]
  checks.record(
    'td/rtmr3',
    isZero(rtmr3) ? undefined : 'td/rtmr3-set',
    'zero',
    isZero(rtmr3) ? 'zero' : toHex(rtmr3),
  )
}

function checkSame(
  checks: Checklist<TdxStep>,
  step: TdxStep,
  expected: string,
  value: Uint8Array,
  mismatch: AttestationCode,
  fault?: AttestationCode,
): void {
  const observed = toHex(value)
  checks.record(step, fault ?? (observed === expected ? undefined : mismatch), expected, observed)
}

function checkConfiguration(checks: Checklist<TdxStep>, td: TdReport, policy: TdxPolicy): void {
  const parts: readonly (readonly [
    name: string,
    value: Uint8Array | undefined,
    expected: string,
    code: AttestationCode,
  ])[] = [
    ['MRCONFIGID', td.mrConfigId, policy.mrConfigId, 'td/config-id-mismatch'],
    ['MROWNER', td.mrOwner, policy.mrOwner, 'td/owner-mismatch'],
    ['MROWNERCONFIG', td.mrOwnerConfig, policy.mrOwnerConfig, 'td/owner-config-mismatch'],
    // A migration TD could move it to a machine that nobody verified.
    ['MRSERVICETD', td.tdx15?.mrServiceTd, NO_SERVICE_TD, 'td/service-td'],
  ]
  for (const [name, value, expected, code] of parts) {
    if (value && toHex(value) !== expected)
      checks.fail('td/configuration', code, `${name} ${expected}`, `${name} ${toHex(value)}`)
  }
  checks.pass(
    'td/configuration',
    msg('configuration and owner as in the policy'),
    msg('configuration and owner as in the policy'),
  )
}

/** Both are held to the floor: the module that started the TD, and the one that runs it now. */
function checkTeeTcb(
  checks: Checklist<TdxStep>,
  { teeTcbSvn, tdx15 }: TdReport,
  { minimumTeeTcbSvn }: TdxPolicy,
): void {
  const floor = Buffer.from(minimumTeeTcbSvn, 'hex')
  const below = [teeTcbSvn, ...(tdx15 ? [tdx15.teeTcbSvn] : [])].find((svn) =>
    floor.some((least, index) => (svn[index] ?? -1) < least),
  )
  checks.record('td/tcb', below && 'td/tcb-below-floor', minimumTeeTcbSvn, toHex(below ?? teeTcbSvn))
}

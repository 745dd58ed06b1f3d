import type { AttestationCode } from '../codes.ts'
import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import { isZero } from '../is-zero.ts'
import { fail, passed, passUnless, Steps, type Finding } from '../steps.ts'
import { toHex } from '../text.ts'
import { attributesReservedBits, decodeTdAttributes, xfamFault } from './attributes.ts'
import type { TdReport } from './quote.ts'

const NO_SERVICE_TD = '0'.repeat(96)

interface TrustDomainInput {
  /** From an authenticated quote. */
  readonly td: TdReport
  readonly policy: TdxPolicy
}

export const trustDomainSteps = Steps.of<TrustDomainInput>()
  .add({
    id: 'td/debug',
    title: 'Trust domain debugging is disabled',
    // No policy can ask for debugging.
    run({ td }) {
      const { debug } = decodeTdAttributes(td.tdAttributes)
      return passUnless(
        debug ? 'td/debug' : undefined,
        msg('debugging not allowed'),
        debug ? msg('debugging allowed') : msg('debugging not allowed'),
      )
    },
  })
  .add({
    id: 'td/attributes',
    title: 'Trust domain has the required attributes',
    run({ td, policy }) {
      const reserved = attributesReservedBits(td.tdAttributes) ? 'td/attributes-reserved-bits' : undefined
      return checkSame(policy.tdAttributes, td.tdAttributes, 'td/attributes-mismatch', reserved)
    },
  })
  .add({
    id: 'td/xfam',
    title: 'Trust domain uses the required processor state',
    run({ td, policy }) {
      const fault = xfamFault(td.xfam)
      return checkSame(policy.xfam, td.xfam, 'td/xfam-mismatch', fault && `td/xfam-${fault}`)
    },
  })
  .add({
    id: 'td/module',
    title: 'TDX module is accepted by the policy',
    run({ td, policy }) {
      const mrSeam = toHex(td.mrSeam)
      return passUnless(
        policy.mrSeam.includes(mrSeam) ? undefined : 'td/module-not-accepted',
        policy.mrSeam.join(', '),
        mrSeam,
      )
    },
  })
  .add({
    id: 'td/configuration',
    title: 'Trust domain has the required configuration and owner',
    run: ({ td, policy }) => checkConfiguration(td, policy),
  })
  .add({
    id: 'td/tcb',
    title: 'TDX module’s security level meets the minimum',
    run: ({ td, policy }) => checkTeeTcb(td, policy),
  })
  .add({
    id: 'td/rtmr3',
    title: 'Nothing was loaded after the trust domain was measured',
    run({ td }) {
      const rtmr3 = td.rtmrs[3]
      const zero = isZero(rtmr3)
      return passUnless(zero ? undefined : 'td/rtmr3-set', 'zero', zero ? 'zero' : toHex(rtmr3))
    },
  })

function checkSame(
  expected: string,
  value: Uint8Array,
  mismatch: AttestationCode,
  fault?: AttestationCode,
): Finding {
  const observed = toHex(value)
  return passUnless(fault ?? (observed === expected ? undefined : mismatch), expected, observed)
}

function checkConfiguration(td: TdReport, policy: TdxPolicy): Finding {
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
    if (value && toHex(value) !== expected) fail(code, `${name} ${expected}`, `${name} ${toHex(value)}`)
  }
  return passed(
    msg('configuration and owner as in the policy'),
    msg('configuration and owner as in the policy'),
  )
}

/** Both modules must meet the minimum: the one that started the TD, and the one that runs it now. */
function checkTeeTcb({ teeTcbSvn, tdx15 }: TdReport, { minimumTeeTcbSvn }: TdxPolicy): Finding {
  const floor = Buffer.from(minimumTeeTcbSvn, 'hex')
  const below = [teeTcbSvn, ...(tdx15 ? [tdx15.teeTcbSvn] : [])].find((svn) =>
    floor.some((least, index) => (svn[index] ?? -1) < least),
  )
  return passUnless(below && 'td/tcb-below-floor', minimumTeeTcbSvn, toHex(below ?? teeTcbSvn))
}

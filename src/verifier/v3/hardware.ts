import type { AttestationPolicy, SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import type { Measurement } from '../measurement.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { sevSteps, type SevReport } from '../sev-snp/index.ts'
import { fail, passed, type Finding, type Step, type StepsResult } from '../steps.ts'
import { tdxSteps, type TdxEvidence } from '../tdx/index.ts'
import { toHex, type Text } from '../text.ts'
import type { V3Document } from './document.ts'

/** From this version on a report names its processor. */
const OLDEST_REPORT = 3

interface Common {
  readonly measurement: Measurement
  /** 64 bytes, lowercase hex. */
  readonly reportData: string
  /** The machine's identity in the publisher's list. */
  readonly identity: string
  /** Unix ms: the earliest end of anything that was relied on. */
  readonly notAfter: number
}

/** Authenticated hardware that meets every rule of the built-in policy. The publisher's own rules come on top. */
export type Hardware =
  | (Common & { readonly platform: 'sev-snp'; readonly report: SevReport; readonly product: SevProduct })
  | (Common & { readonly platform: 'tdx'; readonly evidence: TdxEvidence })

export interface HardwareInput {
  readonly parsed: V3Document
  readonly trust: TrustSet
  readonly policy: AttestationPolicy
  /** The vendors' statements known before. An older one in the document doesn't count. */
  readonly seen?: SeenCollateral | undefined
  /** Unix ms. */
  readonly now: number
}

/** Verifies the report or the quote with every step of document v2. A revocation list is required. */
export const hardwareStep: Step<HardwareInput, { readonly hardware: Hardware }> = {
  id: 'v3/hardware',
  title: 'Fresh evidence is signed by hardware that meets every rule of Sotto',
  run(input) {
    const { parsed, policy } = input
    const accepted = parsed.platform === 'sevSnp' ? policy.sevSnp : policy.tdx
    const expected = msg('a signature by accepted hardware, with every value as required')
    if (!accepted) return fail('evidence/format-unsupported', expected, parsed.platform)
    return parsed.platform === 'sevSnp' ? verifySevSnp(expected, input) : verifyTdx(expected, input)
  },
}

function verifySevSnp(
  expected: Text,
  { parsed, trust, policy, seen, now }: HardwareInput,
): Finding<{ readonly hardware: Hardware }> {
  const { vcek: chain, amdCrl: crl } = parsed.collateral
  if (!policy.sevSnp || !chain || !crl)
    return fail('collateral/missing', expected, chain ? 'amd-crl/v1' : 'amd-vcek/v1')
  const { evidence, hardware } = valueOrFail(
    expected,
    sevSteps.verify({
      report: parsed.report,
      vcek: chain.vcek,
      crl,
      seen,
      roots: trust.amd,
      policy: policy.sevSnp,
      now,
    }),
  )
  const { report, product, notAfter } = evidence
  const pinned = trust.amd[product]
  const samePins =
    pinned !== undefined &&
    Buffer.compare(chain.ask, pinned.ask) === 0 &&
    Buffer.compare(chain.ark, pinned.ark) === 0
  if (!samePins) return fail('vcek/chain-invalid', expected, msg('a chain to another root'))
  if (report.version < OLDEST_REPORT)
    return fail('report/version-unsupported', expected, msg('version {version}', { version: report.version }))
  return passed(expected, hardware.value.platform, {
    hardware: {
      platform: 'sev-snp',
      report,
      product,
      notAfter,
      measurement: hardware.value.measurement,
      reportData: toHex(report.reportData),
      identity: toHex(report.chipId),
    },
  })
}

function verifyTdx(
  expected: Text,
  { parsed: { report: quote, collateral }, trust, policy, seen, now }: HardwareInput,
): Finding<{ readonly hardware: Hardware }> {
  const { intelSgxRoot: root } = trust
  if (!policy.tdx || !root) return fail('evidence/format-unsupported', expected, 'tdx')
  const { evidence, hardware } = valueOrFail(
    expected,
    tdxSteps.verify({ quote, collateral: collateral.intelPcs, seen, root, policy: policy.tdx, now }),
  )
  return passed(expected, hardware.value.platform, {
    hardware: {
      platform: 'tdx',
      evidence,
      notAfter: evidence.notAfter,
      measurement: hardware.value.measurement,
      reportData: toHex(evidence.quote.td.reportData),
      identity: evidence.machine.ppid,
    },
  })
}

/** The step that failed states the code and the observation. */
function valueOrFail<T>(expected: Text, result: StepsResult<T>): T {
  if (result.good) return result.value
  const failed = result.steps.find(({ id }) => id === result.failure.step)
  return fail(result.failure.code, failed?.expected ?? expected, failed?.observed ?? '')
}

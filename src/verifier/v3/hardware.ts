import type { AttestationPolicy, SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import type { TrustSet } from '../contract.ts'
import type { Checklist, StageResult } from '../checklist.ts'
import { SEV_SNP_GUEST_V2, TDX_GUEST_V2 } from '../document.ts'
import type { Measurement } from '../measurement.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { verifySevSnp, type SevReport } from '../sev-snp/index.ts'
import { verifyTdx, type TdxEvidence } from '../tdx/index.ts'
import { toHex, type Text } from '../text.ts'
import type { V3Document } from './document.ts'
import type { V3Step } from './plan.ts'

const STEP = 'v3/hardware'
/** From this version on a report names its processor. */
const OLDEST_REPORT = 3

interface Common {
  readonly measurement: Measurement
  /** 64 bytes, lowercase hex. */
  readonly reportData: string
  /** Of the machine, as the publisher's list names it. */
  readonly identity: string
  /** Unix ms: the earliest end of anything that was relied on. */
  readonly notAfter: number
}

/** Authenticated hardware that meets every rule of the built-in policy. The publisher's own rules come on top. */
export type Hardware =
  | (Common & { readonly platform: 'sev-snp'; readonly report: SevReport; readonly product: SevProduct })
  | (Common & { readonly platform: 'tdx'; readonly evidence: TdxEvidence })

interface Rules {
  readonly trust: TrustSet
  readonly policy: AttestationPolicy
  /** The vendors' statements known before: an older one in the document doesn't count. */
  readonly seen?: SeenCollateral | undefined
  /** Unix ms. */
  readonly now: number
}

/** Verifies the report or the quote whole, as document v2's are, with a revocation list required. Ends at the first failure. */
export function checkHardware(checks: Checklist<V3Step>, document: V3Document, rules: Rules): Hardware {
  const accepted = document.platform === 'sevSnp' ? rules.policy.sevSnp : rules.policy.tdx
  const expected = msg('a signature by accepted hardware, with every value as required')
  if (!accepted) return checks.fail(STEP, 'evidence/format-unsupported', expected, document.platform)
  const hardware =
    document.platform === 'sevSnp'
      ? takeSevSnp(checks, expected, document, rules)
      : takeTdx(checks, expected, document, rules)
  checks.pass(STEP, expected, hardware.platform === 'tdx' ? 'Intel TDX' : `AMD SEV-SNP, ${hardware.product}`)
  return hardware
}

function takeSevSnp(
  checks: Checklist<V3Step>,
  expected: Text,
  { report: bytes, collateral }: V3Document,
  { trust, policy, seen, now }: Rules,
): Hardware {
  const { vcek: chain, amdCrl: crl } = collateral
  if (!policy.sevSnp || !chain || !crl)
    return checks.fail(STEP, 'collateral/missing', expected, chain ? 'amd-crl/v1' : 'amd-vcek/v1')
  const { report, product, notAfter } = orFail(
    checks,
    expected,
    verifySevSnp({
      report: bytes,
      vcek: chain.vcek,
      crl,
      ...(seen && { seen }),
      roots: trust.amd,
      policy: policy.sevSnp,
      now,
    }),
  )
  const pinned = trust.amd[product]
  const samePins =
    pinned !== undefined &&
    Buffer.compare(chain.ask, pinned.ask) === 0 &&
    Buffer.compare(chain.ark, pinned.ark) === 0
  if (!samePins) return checks.fail(STEP, 'vcek/chain-invalid', expected, msg('a chain to another root'))
  if (report.version < OLDEST_REPORT)
    return checks.fail(
      STEP,
      'report/version-unsupported',
      expected,
      msg('version {version}', { version: report.version }),
    )
  return {
    platform: 'sev-snp',
    report,
    product,
    notAfter,
    measurement: { type: SEV_SNP_GUEST_V2, registers: [toHex(report.measurement)] },
    reportData: toHex(report.reportData),
    identity: toHex(report.chipId),
  }
}

function takeTdx(
  checks: Checklist<V3Step>,
  expected: Text,
  { report: quote, collateral }: V3Document,
  { trust, policy, seen, now }: Rules,
): Hardware {
  const { intelSgxRoot: root } = trust
  if (!policy.tdx || !root) return checks.fail(STEP, 'evidence/format-unsupported', expected, 'tdx')
  const evidence = orFail(
    checks,
    expected,
    verifyTdx({
      quote,
      collateral: collateral.intelPcs,
      ...(seen && { seen }),
      root,
      policy: policy.tdx,
      now,
    }),
  )
  const { td } = evidence.quote
  return {
    platform: 'tdx',
    evidence,
    notAfter: evidence.notAfter,
    measurement: { type: TDX_GUEST_V2, registers: [td.mrTd, ...td.rtmrs].map(toHex) },
    reportData: toHex(td.reportData),
    identity: evidence.machine.ppid,
  }
}

/** The step that failed gives its code and what it observed. */
function orFail<T>(checks: Checklist<V3Step>, expected: Text, result: StageResult<T>): T {
  if (result.good) return result.value
  const failed = result.steps.find(({ id }) => id === result.failure.step)
  return checks.fail(STEP, result.failure.code, failed?.expected ?? expected, failed?.observed ?? '')
}

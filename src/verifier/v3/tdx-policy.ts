import { msg } from '../message.ts'
import type { TdxEvidence } from '../tdx/index.ts'
import { toHex } from '../text.ts'
import { same, type RuleOutcome } from './finding.ts'
import type {
  EndorsedMeasurement,
  EndorsedTdx,
  PlatformEndorsements,
  VmShape,
} from './platform-endorsements.ts'

const ZERO_REGISTER = '0'.repeat(96)

/** How the trust domain was started: each value exactly as the publisher signed it. */
export function* settingsOf(
  { quote: { td, qeVendorId, version } }: TdxEvidence,
  policy: EndorsedTdx,
): Generator<RuleOutcome> {
  yield same('quote/version-unsupported', 'version', '4', String(version))
  yield same('quote/qe-vendor', 'QE vendor', policy.qe_vendor_id, toHex(qeVendorId))
  yield same('td/module-not-accepted', 'MRSEAM', policy.mr_seam, toHex(td.mrSeam))
  yield same('td/attributes-mismatch', 'TDATTRIBUTES', policy.td_attributes, toHex(td.tdAttributes))
  yield same('td/xfam-mismatch', 'XFAM', policy.xfam, toHex(td.xfam))
  yield same('td/config-id-mismatch', 'MRCONFIGID', ZERO_REGISTER, toHex(td.mrConfigId))
  yield same('td/owner-mismatch', 'MROWNER', ZERO_REGISTER, toHex(td.mrOwner))
  yield same('td/owner-config-mismatch', 'MROWNERCONFIG', ZERO_REGISTER, toHex(td.mrOwnerConfig))
}

/** How new Intel's module and data are. */
export function* firmwareOf(
  { quote: { td }, evaluationNumber }: TdxEvidence,
  policy: EndorsedTdx,
): Generator<RuleOutcome> {
  const floor = Buffer.from(policy.minimum_tee_tcb_svn, 'hex')
  const below = floor.some((least, index) => (td.teeTcbSvn[index] ?? -1) < least)
  yield {
    ...(below && { code: 'td/tcb-below-floor' }),
    expected: policy.minimum_tee_tcb_svn,
    observed: toHex(td.teeTcbSvn),
  }
  yield {
    ...(BigInt(evaluationNumber) < policy.minimum_tcb_evaluation_data_number && {
      code: 'intel/evaluation-too-old',
    }),
    expected: msg('{least} or later', { least: String(policy.minimum_tcb_evaluation_data_number) }),
    observed: String(evaluationNumber),
  }
}

/** MRTD and RTMR0 must be those of virtual hardware that the policy names and that the release is made for. */
export function hardwareOf(
  { quote: { td } }: TdxEvidence,
  policy: EndorsedTdx,
  { measurements }: PlatformEndorsements,
  shape: VmShape,
): RuleOutcome {
  const [mrtd, rtmr0] = [toHex(td.mrTd), toHex(td.rtmrs[0])]
  const found = policy.platform_measurements.find((name) => {
    const measurement = measurements[name]
    return measurement?.mrtd === mrtd && measurement.rtmr0 === rtmr0 && fits(measurement, shape)
  })
  return {
    ...(found === undefined && { code: 'hardware/mismatch' }),
    expected: policy.platform_measurements.join(', '),
    observed: found ?? `MRTD ${mrtd}, RTMR0 ${rtmr0}`,
  }
}

/** GPUs count only if the entry names them. */
function fits({ shape }: EndorsedMeasurement, wanted: VmShape): boolean {
  return (
    shape.cpus === wanted.cpus &&
    shape.memory_mb === wanted.memory_mb &&
    shape.disks === wanted.disks &&
    (shape.gpus === undefined || shape.gpus === wanted.gpus)
  )
}

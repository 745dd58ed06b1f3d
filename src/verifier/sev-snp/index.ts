export type { GuestPolicy, PlatformInfo } from './flags.ts'
export { isBelowExpected } from './guest-checks.ts'
export { intermediateName, rootName } from './chain.ts'
export { readAmdList } from './revocation.ts'
export {
  parseReport,
  REPORT_BYTES,
  ReportError,
  type CpuId,
  type FirmwareVersion,
  type ReportFault,
  type SevReport,
} from './report.ts'
export { sevSteps, type SevEvidence, type SevInput } from './steps.ts'
export { belowFloor, decodeTcb, describeTcb, sameTcb } from './tcb.ts'

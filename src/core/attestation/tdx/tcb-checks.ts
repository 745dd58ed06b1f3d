import type { AttestationCode } from '../../../shared/attestation-codes.ts'
import type { TcbStatus, TdxPolicy } from '../../../shared/policy/tdx.ts'
import type { Checklist } from '../checklist.ts'
import { toHex } from '../words.ts'
import type { IntelStatements } from './collateral-checks.ts'
import type { TdxStep } from './plan.ts'
import { matchesUnderMask, type QeReport } from './qe-report.ts'
import type { TdReport } from './quote.ts'
import type { SgxExtensions } from './sgx-extensions.ts'
import type { QeIdentity, TcbInfo } from './statements.ts'
import { isvStatus, moduleIdentityOf, moduleStatus, platformStatus } from './tcb-level.ts'

export interface Platform {
  readonly machine: SgxExtensions
  readonly td: TdReport
  readonly qe: QeReport
}

/** Judges machine, TDX module and quoting enclave by what Intel says of them. Returns the status of the machine. */
export function checkPlatform(checks: Checklist<TdxStep>, { machine, td, qe }: Platform, { tcbInfo, qeIdentity }: IntelStatements, policy: TdxPolicy): TcbStatus {
  checkEvaluation(checks, tcbInfo, qeIdentity, policy)
  const same = tcbInfo.fmspc === machine.fmspc && tcbInfo.pceId === machine.pceId
  checks.record('intel/platform', same ? undefined : 'intel/tcb-info-other-platform', describeKind(machine), describeKind(tcbInfo))
  checkModule(checks, td, tcbInfo, policy)

  const accepted = policy.tcbStatuses.join(' or ')
  const status = platformStatus(tcbInfo, machine, td.teeTcbSvn)
  if (!status) return checks.fail('intel/tcb-level', 'intel/tcb-unlisted', accepted, 'below every level')
  checks.record('intel/tcb-level', isAccepted(status, policy) ? undefined : tcbCodes[status], accepted, status)
  checkQuotingEnclave(checks, qe, qeIdentity, policy)
  return status
}

const tcbCodes: Record<TcbStatus, AttestationCode> = {
  UpToDate: 'intel/tcb-not-up-to-date',
  SWHardeningNeeded: 'intel/tcb-not-up-to-date',
  ConfigurationNeeded: 'intel/tcb-not-up-to-date',
  ConfigurationAndSWHardeningNeeded: 'intel/tcb-not-up-to-date',
  OutOfDate: 'intel/tcb-out-of-date',
  OutOfDateConfigurationNeeded: 'intel/tcb-out-of-date',
  Revoked: 'intel/tcb-revoked',
}

function isAccepted(status: TcbStatus, { tcbStatuses }: TdxPolicy): boolean {
  return status !== 'Revoked' && tcbStatuses.includes(status)
}

function describeKind({ fmspc, pceId }: { readonly fmspc: string; readonly pceId: string }): string {
  return `FMSPC ${fmspc}, PCEID ${pceId}`
}

/** Statements of an old evaluation stay in force for a while after a new one: whoever brings them would choose the one that spares the machine. */
function checkEvaluation(checks: Checklist<TdxStep>, tcbInfo: TcbInfo, qeIdentity: QeIdentity, { minimumTcbEvaluationDataNumber: least }: TdxPolicy): void {
  const numbers = [tcbInfo.tcbEvaluationDataNumber, qeIdentity.tcbEvaluationDataNumber]
  checks.record('intel/evaluation', numbers.some((number) => number < least) ? 'intel/evaluation-too-old' : undefined, `${least} or later`, numbers.join(' and '))
}

function checkModule(checks: Checklist<TdxStep>, td: TdReport, tcbInfo: TcbInfo, policy: TdxPolicy): void {
  const accepted = policy.tcbStatuses.join(' or ')
  const identity = moduleIdentityOf(tcbInfo, td.teeTcbSvn)
  if (!identity) return checks.fail('intel/module', 'intel/module-unlisted', accepted, `a module of tee_tcb_svn ${toHex(td.teeTcbSvn)}`)
  const signed = toHex(td.mrSignerSeam) === identity.mrsigner && matchesUnderMask(toHex(td.seamAttributes), identity.attributes, identity.attributesMask)
  if (!signed) checks.fail('intel/module', 'intel/module-mismatch', `${identity.mrsigner}, ${identity.attributes}`, `${toHex(td.mrSignerSeam)}, ${toHex(td.seamAttributes)}`)
  const status = moduleStatus(identity, td.teeTcbSvn)
  if (!status) return checks.fail('intel/module', 'intel/module-unlisted', accepted, 'below every level')
  const holds = status === 'judged with the platform' || isAccepted(status, policy)
  checks.record('intel/module', holds ? undefined : status === 'Revoked' ? 'intel/module-revoked' : 'intel/module-not-up-to-date', accepted, status)
}

function checkQuotingEnclave(checks: Checklist<TdxStep>, qe: QeReport, identity: QeIdentity, policy: TdxPolicy): void {
  const step = 'intel/quoting-enclave'
  if (qe.mrSigner !== identity.mrsigner) checks.fail(step, 'intel/qe-signer-mismatch', identity.mrsigner, qe.mrSigner)
  const same = qe.isvProdId === identity.isvprodid
    && matchesUnderMask(qe.miscSelect, identity.miscselect, identity.miscselectMask)
    && matchesUnderMask(qe.attributes, identity.attributes, identity.attributesMask)
  const observed = `product ${qe.isvProdId}, miscselect ${qe.miscSelect}, attributes ${qe.attributes}`
  checks.record(step, same ? undefined : 'intel/qe-mismatch', `product ${identity.isvprodid}, miscselect ${identity.miscselect}, attributes ${identity.attributes}`, observed)

  const accepted = policy.tcbStatuses.join(' or ')
  const status = isvStatus(identity.tcbLevels, qe.isvSvn)
  if (!status) return checks.fail('intel/quoting-enclave-level', 'intel/qe-unlisted', accepted, 'below every level')
  const code = status === 'Revoked' ? 'intel/qe-revoked' : 'intel/qe-not-up-to-date'
  checks.record('intel/quoting-enclave-level', isAccepted(status, policy) ? undefined : code, accepted, status)
}

import type { AttestationCode } from '../codes.ts'
import type { CollateralRecord } from '../contract.ts'
import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { toHex } from '../text.ts'
import type { IntelStatements } from './collateral-checks.ts'
import type { TdxStep } from './plan.ts'
import { matchesUnderMask, type QeReport } from './qe-report.ts'
import type { TdReport } from './quote.ts'
import type { SgxExtensions } from './sgx-extensions.ts'
import type { QeIdentity, TcbInfo } from './statements.ts'
import {
  isvStatus,
  moduleIdentityOf,
  moduleStatus,
  platformStatus,
  type ModuleIdentity,
} from './tcb-level.ts'
import { verifyTcb, type AcceptedTcb, type RefusedTcb, type TcbPart } from './tcb-result.ts'

export interface Platform {
  readonly machine: SgxExtensions
  readonly td: TdReport
  readonly qe: QeReport
}

interface Rules {
  readonly policy: TdxPolicy
  readonly seen: SeenCollateral
}

/** Judges machine, TDX module and quoting enclave by what Intel says of them. */
export function checkPlatform(
  checks: Checklist<TdxStep>,
  { machine, td, qe }: Platform,
  { tcbInfo, qeIdentity }: IntelStatements,
  { policy, seen }: Rules,
): AcceptedTcb {
  const evaluations = evaluationsOf(tcbInfo, qeIdentity)
  checkEvaluation(checks, evaluations, { policy, seen })
  const same = tcbInfo.fmspc === machine.fmspc && tcbInfo.pceId === machine.pceId
  checks.record(
    'intel/platform',
    same ? undefined : 'intel/tcb-info-other-platform',
    describeKind(machine),
    describeKind(tcbInfo),
  )
  for (const evaluation of evaluations) seen.note(evaluation)

  const identity = moduleIdentityOf(tcbInfo, td.teeTcbSvn)
  const levels = {
    module: identity && moduleStatus(identity, td.teeTcbSvn),
    machine: platformStatus(tcbInfo, machine, td.teeTcbSvn),
    enclave: isvStatus(qeIdentity.tcbLevels, qe.isvSvn),
  }
  const observed = {
    ...levels,
    ...(identity && !identity.tcbLevels && { module: msg('checked with the platform') }),
  }
  const result = verifyTcb(levels, policy.tcbStatuses)
  const accepted = policy.tcbStatuses.join(', ')
  const checkLevel = (part: TcbPart): void => {
    if (!result.accepted && result.blamed === part) failLevel(checks, result, accepted)
    checks.pass(levelSteps[part], accepted, observed[part] ?? NO_LEVEL)
  }
  checkModule(checks, td, identity, accepted)
  checkLevel('module')
  checkLevel('machine')
  checkQuotingEnclave(checks, qe, qeIdentity)
  if (!result.accepted) return failLevel(checks, result, accepted)
  checkLevel('enclave')
  return result
}

const NO_LEVEL = msg('below every level')

const levelSteps = {
  module: 'intel/module',
  machine: 'intel/tcb-level',
  enclave: 'intel/quoting-enclave-level',
} as const satisfies Record<TcbPart, TdxStep>

function failLevel(checks: Checklist<TdxStep>, { blamed, status }: RefusedTcb, accepted: string): never {
  return checks.fail(levelSteps[blamed], levelCode(blamed, status), accepted, status ?? NO_LEVEL)
}

function levelCode(part: TcbPart, status: string | undefined): AttestationCode {
  const { unlisted, revoked, other } = levelCodes[part]
  if (status === undefined) return unlisted
  if (status === 'Revoked') return revoked
  const lacksUpdates = status === 'OutOfDate' || status === 'OutOfDateConfigurationNeeded'
  return part === 'machine' && lacksUpdates ? 'intel/tcb-out-of-date' : other
}

const levelCodes: Record<TcbPart, Record<'unlisted' | 'revoked' | 'other', AttestationCode>> = {
  module: {
    unlisted: 'intel/module-unlisted',
    revoked: 'intel/module-revoked',
    other: 'intel/module-not-up-to-date',
  },
  machine: {
    unlisted: 'intel/tcb-unlisted',
    revoked: 'intel/tcb-revoked',
    other: 'intel/tcb-not-up-to-date',
  },
  enclave: { unlisted: 'intel/qe-unlisted', revoked: 'intel/qe-revoked', other: 'intel/qe-not-up-to-date' },
}

function describeKind({ fmspc, pceId }: { readonly fmspc: string; readonly pceId: string }): string {
  return `FMSPC ${fmspc}, PCEID ${pceId}`
}

/** Intel numbers the evaluations of each kind of machine, and those of the quoting enclave. */
function evaluationsOf(tcbInfo: TcbInfo, qeIdentity: QeIdentity): CollateralRecord[] {
  return [
    { name: `intel-tcb-info/${tcbInfo.fmspc}`, version: tcbInfo.tcbEvaluationDataNumber },
    { name: 'intel-qe-identity', version: qeIdentity.tcbEvaluationDataNumber },
  ]
}

/** Statements of an old evaluation stay in force for a while after a new one: whoever brings them would choose the one that spares the machine. */
function checkEvaluation(
  checks: Checklist<TdxStep>,
  evaluations: readonly CollateralRecord[],
  { policy: { minimumTcbEvaluationDataNumber: least }, seen }: Rules,
): void {
  const observed = evaluations.map(({ version }) => version).join(', ')
  if (evaluations.some(({ version }) => version < least))
    checks.fail('intel/evaluation', 'intel/evaluation-too-old', msg('{least} or later', { least }), observed)
  const expected = evaluations.map(({ name }) => Math.max(least, seen.find(name)?.version ?? 0))
  const older = evaluations.some(({ version }, index) => version < (expected[index] ?? 0))
  checks.record(
    'intel/evaluation',
    older ? 'intel/evaluation-older' : undefined,
    msg('{least} or later', { least: expected.join(', ') }),
    observed,
  )
}

function checkModule(
  checks: Checklist<TdxStep>,
  td: TdReport,
  identity: ModuleIdentity | undefined,
  accepted: string,
): void {
  if (!identity)
    return checks.fail(
      'intel/module',
      'intel/module-unlisted',
      accepted,
      msg('a module of tee_tcb_svn {teeTcbSvn}', { teeTcbSvn: toHex(td.teeTcbSvn) }),
    )
  const signed =
    toHex(td.mrSignerSeam) === identity.mrsigner &&
    matchesUnderMask(toHex(td.seamAttributes), identity.attributes, identity.attributesMask)
  if (!signed)
    checks.fail(
      'intel/module',
      'intel/module-mismatch',
      `${identity.mrsigner}, ${identity.attributes}`,
      `${toHex(td.mrSignerSeam)}, ${toHex(td.seamAttributes)}`,
    )
}

function checkQuotingEnclave(checks: Checklist<TdxStep>, qe: QeReport, identity: QeIdentity): void {
  const step = 'intel/quoting-enclave'
  if (qe.mrSigner !== identity.mrsigner)
    checks.fail(step, 'intel/qe-signer-mismatch', identity.mrsigner, qe.mrSigner)
  const same =
    qe.isvProdId === identity.isvprodid &&
    matchesUnderMask(qe.miscSelect, identity.miscselect, identity.miscselectMask) &&
    matchesUnderMask(qe.attributes, identity.attributes, identity.attributesMask)
  const observed = msg('product {product}, miscselect {miscselect}, attributes {attributes}', {
    product: qe.isvProdId,
    miscselect: qe.miscSelect,
    attributes: qe.attributes,
  })
  checks.record(
    step,
    same ? undefined : 'intel/qe-mismatch',
    msg('product {product}, miscselect {miscselect}, attributes {attributes}', {
      product: identity.isvprodid,
      miscselect: identity.miscselect,
      attributes: identity.attributes,
    }),
    observed,
  )
}

import type { AttestationCode } from '../codes.ts'
import type { CollateralRecord } from '../contract.ts'
import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { fail, passed, passUnless, Steps, type Finding } from '../steps.ts'
import { toHex } from '../text.ts'
import type { IntelStatements } from './collateral-checks.ts'
import { matchesUnderMask, type QeReport } from './qe-report.ts'
import type { TdReport, TdxQuote } from './quote.ts'
import type { SgxExtensions } from './sgx-extensions.ts'
import type { QeIdentity } from './statements.ts'
import {
  isvStatus,
  moduleIdentityOf,
  moduleStatus,
  platformStatus,
  type ModuleIdentity,
} from './tcb-level.ts'
import { verifyTcb, type AcceptedTcb, type RefusedTcb, type TcbLevels, type TcbPart } from './tcb-result.ts'

interface PlatformInput {
  readonly parsed: TdxQuote
  readonly machine: SgxExtensions
  readonly qe: QeReport
  readonly statements: IntelStatements
  readonly policy: TdxPolicy
  readonly seen?: SeenCollateral | undefined
}

/** Compares machine, TDX module and quoting enclave with what Intel published. */
export const platformSteps = Steps.of<PlatformInput>()
  .add({
    id: 'intel/evaluation',
    title: 'Intel’s collateral is from a recent enough evaluation',
    run: ({ statements, policy, seen }) => checkEvaluation(evaluationsOf(statements), policy, seen),
  })
  .add({
    id: 'intel/platform',
    title: 'List of security levels is for this kind of server',
    run({ statements, machine, seen }) {
      const { tcbInfo } = statements
      const same = tcbInfo.fmspc === machine.fmspc && tcbInfo.pceId === machine.pceId
      const finding = passUnless(
        same ? undefined : 'intel/tcb-info-other-platform',
        describeKind(machine),
        describeKind(tcbInfo),
      )
      for (const evaluation of evaluationsOf(statements)) seen?.note(evaluation)
      return finding
    },
  })
  .add({
    id: 'intel/module',
    title: 'TDX module is signed by Intel and up to date',
    run({ parsed: { td }, machine, qe, statements: { tcbInfo, qeIdentity }, policy }) {
      const identity = moduleIdentityOf(tcbInfo, td.teeTcbSvn)
      const levels = {
        module: identity && moduleStatus(identity, td.teeTcbSvn),
        machine: platformStatus(tcbInfo, machine, td.teeTcbSvn),
        enclave: isvStatus(qeIdentity.tcbLevels, qe.isvSvn),
      }
      const tcb = { result: verifyTcb(levels, policy.tcbStatuses), levels, policy }
      checkModule(td, identity, policy)
      const finding = checkLevel('module', tcb)
      if (!identity || identity.tcbLevels) return { ...finding, added: { tcb } }
      return { ...finding, observed: msg('checked with the platform'), added: { tcb } }
    },
  })
  .add({
    id: 'intel/tcb-level',
    title: 'Intel rates the server as up to date',
    run: ({ tcb }) => checkLevel('machine', tcb),
  })
  .add({
    id: 'intel/quoting-enclave',
    title: 'Quoting enclave matches the identity Intel published',
    run: ({ qe, statements }) => checkQuotingEnclave(qe, statements.qeIdentity),
  })

const NO_LEVEL = msg('below every level')

interface RatedTcb {
  readonly levels: TcbLevels
  readonly result: AcceptedTcb | RefusedTcb
  readonly policy: TdxPolicy
}

/** Fails if this part is the reason why the whole isn't accepted. */
function checkLevel(part: TcbPart, { levels, result, policy }: RatedTcb): Finding {
  if (!result.accepted && result.blamed === part) return failLevel(result, policy)
  return passed(policy.tcbStatuses.join(', '), levels[part] ?? NO_LEVEL)
}

/** The last part: the whole is accepted, or this part is the reason why it isn't. */
export function checkEnclaveLevel(tcb: RatedTcb): Finding<{ readonly accepted: AcceptedTcb }> {
  const { result, policy } = tcb
  if (!result.accepted) return failLevel(result, policy)
  return { ...checkLevel('enclave', tcb), added: { accepted: result } }
}

function failLevel({ blamed, status }: RefusedTcb, { tcbStatuses }: TdxPolicy): never {
  return fail(levelCode(blamed, status), tcbStatuses.join(', '), status ?? NO_LEVEL)
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
function evaluationsOf({ tcbInfo, qeIdentity }: IntelStatements): CollateralRecord[] {
  return [
    { name: `intel-tcb-info/${tcbInfo.fmspc}`, version: tcbInfo.tcbEvaluationDataNumber },
    { name: 'intel-qe-identity', version: qeIdentity.tcbEvaluationDataNumber },
  ]
}

/** Statements of an old evaluation remain valid for a while after a new one. An attacker would choose the one that rates the machine better. */
function checkEvaluation(
  evaluations: readonly CollateralRecord[],
  { minimumTcbEvaluationDataNumber: least }: TdxPolicy,
  seen: SeenCollateral | undefined,
): Finding {
  const observed = evaluations.map(({ version }) => version).join(', ')
  if (evaluations.some(({ version }) => version < least))
    return fail('intel/evaluation-too-old', msg('{least} or later', { least }), observed)
  const expected = evaluations.map(({ name }) => Math.max(least, seen?.find(name)?.version ?? 0))
  const older = evaluations.some(({ version }, index) => version < (expected[index] ?? 0))
  return passUnless(
    older ? 'intel/evaluation-older' : undefined,
    msg('{least} or later', { least: expected.join(', ') }),
    observed,
  )
}

function checkModule(td: TdReport, identity: ModuleIdentity | undefined, { tcbStatuses }: TdxPolicy): void {
  if (!identity)
    return fail(
      'intel/module-unlisted',
      tcbStatuses.join(', '),
      msg('a module of tee_tcb_svn {teeTcbSvn}', { teeTcbSvn: toHex(td.teeTcbSvn) }),
    )
  const signed =
    toHex(td.mrSignerSeam) === identity.mrsigner &&
    matchesUnderMask(toHex(td.seamAttributes), identity.attributes, identity.attributesMask)
  if (!signed)
    fail(
      'intel/module-mismatch',
      `${identity.mrsigner}, ${identity.attributes}`,
      `${toHex(td.mrSignerSeam)}, ${toHex(td.seamAttributes)}`,
    )
}

function checkQuotingEnclave(qe: QeReport, identity: QeIdentity): Finding {
  if (qe.mrSigner !== identity.mrsigner)
    return fail('intel/qe-signer-mismatch', identity.mrsigner, qe.mrSigner)
  const same =
    qe.isvProdId === identity.isvprodid &&
    matchesUnderMask(qe.miscSelect, identity.miscselect, identity.miscselectMask) &&
    matchesUnderMask(qe.attributes, identity.attributes, identity.attributesMask)
  return passUnless(
    same ? undefined : 'intel/qe-mismatch',
    msg('product {product}, miscselect {miscselect}, attributes {attributes}', {
      product: identity.isvprodid,
      miscselect: identity.miscselect,
      attributes: identity.attributes,
    }),
    msg('product {product}, miscselect {miscselect}, attributes {attributes}', {
      product: qe.isvProdId,
      miscselect: qe.miscSelect,
      attributes: qe.attributes,
    }),
  )
}

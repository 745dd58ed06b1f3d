import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import { runStage, type Checklist, type StageResult } from '../checklist.ts'
import type { PcsResponse } from '../collateral.ts'
import { SeenCollateral } from '../seen-collateral.ts'
import { CollateralError, readIntelCollateral, type IntelCollateral } from './collateral.ts'
import { checkStatements } from './collateral-checks.ts'
import { checkPckChain, checkRevocation } from './pck-checks.ts'
import { tdxPlan, type TdxStep } from './plan.ts'
import { checkSignatures, takeQuote } from './quote-checks.ts'
import type { TdxQuote } from './quote.ts'
import type { SgxExtensions } from './sgx-extensions.ts'
import { checkPlatform } from './tcb-checks.ts'
import type { AcceptedTcb } from './tcb-result.ts'
import { checkTrustDomain } from './td-checks.ts'

export { decodeTdAttributes, type TdAttributes } from './attributes.ts'
export { checkPckChain } from './pck-checks.ts'
export { checkSignatures, takeQuote } from './quote-checks.ts'
export { checkTrustDomain } from './td-checks.ts'
export { CollateralError, readIntelCollateral, type IntelCollateral } from './collateral.ts'
export {
  MAX_QUOTE_BYTES,
  parseQuote,
  QuoteError,
  type QuoteFault,
  type TdReport,
  type TdxQuote,
} from './quote.ts'
export { readSgxExtensions, type SgxExtensions } from './sgx-extensions.ts'
export { readStatement, splitSignedJson } from './signed-json.ts'
export { qeIdentityOf, tcbInfoOf, type QeIdentity, type TcbInfo } from './statements.ts'
export { tdxPlan, type TdxStep } from './plan.ts'

export interface TdxInput {
  /** The quote, unpacked. */
  readonly quote: Uint8Array
  /** Intel's answers as they came with the evidence; undefined where none did. */
  readonly collateral: readonly PcsResponse[] | undefined
  /** DER of Intel's SGX root. */
  readonly root: Uint8Array
  /** The lists and evaluations known before, and those seen now; nothing is known where it is absent. */
  readonly seen?: SeenCollateral
  readonly policy: TdxPolicy
  /** Unix ms. */
  readonly now: number
}

/** An authenticated quote, what is known of its machine, and until when all of it lasts. */
export interface TdxEvidence extends Pick<AcceptedTcb, 'tcbStatus' | 'resultingStatus'> {
  readonly quote: TdxQuote
  readonly machine: SgxExtensions
  /** The lower number of Intel's two statements that were used. */
  readonly evaluationNumber: number
  /** Unix ms: the earliest end of certificates, revocation lists and statements. */
  readonly notAfter: number
}

/**
 * Verifies a TDX quote: Intel's chain to the machine, both revocation lists, the three signatures, what Intel says of the machine, then
 * the policy over what was signed. Pure; never throws. Each failure has its own code, `quote/…`, `pck/…`, `intel/…` or `td/…`, and the
 * steps are those of `tdxPlan`. The pairs of MRTD and RTMR0, RTMR1 and RTMR2 are left to be held to what was released.
 */
export function verifyTdx(input: TdxInput): StageResult<TdxEvidence> {
  return runStage<TdxStep, TdxEvidence>(tdxPlan, (checks) => {
    const evidence = authenticateQuote(checks, input)
    checkTrustDomain(checks, evidence.quote.td, input.policy)
    return evidence
  })
}

/**
 * Takes the steps up to `intel/quoting-enclave-level`, and ends at the first failure: what passes them was said by a machine of Intel's, of a
 * status that the policy accepts.
 */
export function authenticateQuote(
  checks: Checklist<TdxStep>,
  { quote: bytes, collateral: responses, root, seen = new SeenCollateral(), policy, now }: TdxInput,
): TdxEvidence {
  const quote = takeQuote(checks, bytes)
  const chain = checkPckChain(checks, quote.pckChain, root, now)
  const collateral = takeCollateral(checks, responses)
  const lists = checkRevocation(checks, collateral, chain, { seen, now })
  const qe = checkSignatures(checks, quote, chain.pck.key)
  const statements = checkStatements(checks, collateral, { root: chain.root, rootCrl: lists.rootCrl, now })
  const { machine } = chain
  const { tcbStatus, resultingStatus } = checkPlatform(checks, { machine, td: quote.td, qe }, statements, {
    policy,
    seen,
  })
  const ends = [chain.root, chain.intermediate, chain.pck].map(({ certificate }) => certificate.notAfter)
  const evaluationNumber = Math.min(
    statements.tcbInfo.tcbEvaluationDataNumber,
    statements.qeIdentity.tcbEvaluationDataNumber,
  )
  return {
    quote,
    machine,
    evaluationNumber,
    tcbStatus,
    resultingStatus,
    notAfter: Math.min(...ends, lists.notAfter, statements.notAfter),
  }
}

function takeCollateral(
  checks: Checklist<TdxStep>,
  responses: readonly PcsResponse[] | undefined,
): IntelCollateral {
  const expected = msg('TCB info, identity of the quoting enclave and both revocation lists')
  if (!responses) return checks.fail('intel/collateral', 'intel/collateral-missing', expected, msg('none'))
  try {
    const collateral = readIntelCollateral(responses)
    checks.pass('intel/collateral', expected, expected)
    return collateral
  } catch (error) {
    if (error instanceof CollateralError)
      checks.fail('intel/collateral', 'intel/collateral-malformed', expected, error.observed)
    throw error
  }
}

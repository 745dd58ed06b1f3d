import type { TdxPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { PcsResponse } from '../collateral.ts'
import { TDX_GUEST_V2 } from '../measurement.ts'
import { attestedKeys } from '../report-data.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { fail, passed, Steps, type Finding } from '../steps.ts'
import { toHex } from '../text.ts'
import { CollateralError, readIntelCollateral, type IntelCollateral } from './collateral.ts'
import { statementSteps } from './collateral-checks.ts'
import { pckSteps } from './pck-checks.ts'
import { readQuote, signatureSteps } from './quote-checks.ts'
import type { TdxQuote } from './quote.ts'
import { revocationSteps } from './revocation-checks.ts'
import type { SgxExtensions } from './sgx-extensions.ts'
import { checkEnclaveLevel, platformSteps } from './tcb-checks.ts'
import type { AcceptedTcb } from './tcb-result.ts'
import { trustDomainSteps } from './td-checks.ts'

export interface TdxInput {
  /** The quote, unpacked. */
  readonly quote: Uint8Array
  /** Intel's answers in the evidence. Undefined if it has none. */
  readonly collateral: readonly PcsResponse[] | undefined
  /** DER of Intel's SGX root. */
  readonly root: Uint8Array
  /** The lists and evaluations known before, and those of this verification. Without it, none is known. */
  readonly seen?: SeenCollateral | undefined
  readonly policy: TdxPolicy
  /** Unix ms. */
  readonly now: number
}

/** An authenticated quote, its machine, and when the first of the statements that authenticate it ends. */
export interface TdxEvidence extends Pick<AcceptedTcb, 'tcbStatus' | 'resultingStatus'> {
  readonly quote: TdxQuote
  readonly machine: SgxExtensions
  /** The lower number of Intel's two statements. */
  readonly evaluationNumber: number
  /** Unix ms: the earliest end of certificates, revocation lists and statements. */
  readonly notAfter: number
}

export const quoteSteps = Steps.of<Pick<TdxInput, 'quote'>>().add({
  id: 'quote/layout',
  title: 'Quote has the layout of a TDX quote',
  run: ({ quote }) => readQuote(quote),
})

/**
 * Verifies a TDX quote: Intel's chain to the machine, both revocation lists, the three signatures, Intel's statements about the machine, then
 * the policy over the signed content. Each failure has its own code, `quote/…`, `pck/…`, `intel/…` or `td/…`. MRTD, RTMR0, RTMR1 and RTMR2
 * aren't compared here: the release and the list of virtual hardware state them.
 */
export const tdxSteps = Steps.of<TdxInput>()
  .append(quoteSteps)
  .append(pckSteps)
  .add({
    id: 'intel/collateral',
    title: 'Evidence includes Intel’s collateral for the server',
    run: ({ collateral }) => readResponses(collateral),
  })
  .append(revocationSteps)
  .append(signatureSteps)
  .append(statementSteps)
  .append(platformSteps)
  .add({
    id: 'intel/quoting-enclave-level',
    title: 'Intel rates the quoting enclave as up to date',
    run({ tcb, signedQuote, machine, pinned, intermediate, pck, rootList, pckList, statements }) {
      const { added, ...finding } = checkEnclaveLevel(tcb)
      const ends = [pinned, intermediate, pck].map(({ certificate }) => certificate.notAfter)
      const notAfter = Math.min(...ends, rootList.notAfter, pckList.notAfter, statements.notAfter)
      const evidence: TdxEvidence = {
        quote: signedQuote.value,
        machine,
        evaluationNumber: Math.min(
          statements.tcbInfo.tcbEvaluationDataNumber,
          statements.qeIdentity.tcbEvaluationDataNumber,
        ),
        tcbStatus: added.accepted.tcbStatus,
        resultingStatus: added.accepted.resultingStatus,
        notAfter,
      }
      return {
        ...finding,
        added: {
          evidence,
          hardware: signedQuote.map(({ td }) => ({
            platform: 'Intel TDX',
            measurement: { type: TDX_GUEST_V2, registers: [td.mrTd, ...td.rtmrs].map(toHex) },
            notAfter,
            nonceBound: false,
          })),
          keys: signedQuote.map(({ td }) => attestedKeys(td.reportData)),
        },
      }
    },
  })
  .note(({ hardware, keys }) => ({ hardware, keys }))
  .include(
    trustDomainSteps,
    ({ evidence, policy }) => ({ td: evidence.quote.td, policy }),
    () => ({}),
  )

function readResponses(responses: TdxInput['collateral']): Finding<{ readonly intel: IntelCollateral }> {
  const expected = msg('TCB info, identity of the quoting enclave and both revocation lists')
  if (!responses) return fail('intel/collateral-missing', expected, msg('none'))
  try {
    return passed(expected, expected, { intel: readIntelCollateral(responses) })
  } catch (error) {
    if (error instanceof CollateralError) return fail('intel/collateral-malformed', expected, error.observed)
    throw error
  }
}

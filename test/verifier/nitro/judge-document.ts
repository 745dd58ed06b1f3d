import { runStage, type StageResult } from '../../../src/verifier/checklist.ts'
import {
  authenticateNitroDocument,
  checkImage,
  nitroPlan,
  type NitroEvidence,
  type NitroInput as DocumentInput,
  type NitroStep,
} from '../../../src/verifier/nitro/index.ts'
import type { NitroPolicy } from '../../../src/verifier/policy.ts'

export interface NitroInput extends DocumentInput {
  readonly policy: NitroPolicy
}

/** A Nitro document without the rest of its evidence, by the checks that verdicts consist of. */
export function judgeDocument(input: NitroInput): StageResult<NitroEvidence> {
  return runStage<NitroStep, NitroEvidence>(nitroPlan(input.nonce !== undefined), (checks) => {
    const evidence = authenticateNitroDocument(checks, input)
    checkImage(checks, evidence.document, input.policy)
    return evidence
  })
}

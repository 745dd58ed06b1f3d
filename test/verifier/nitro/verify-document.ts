import type { StepsResult } from '../../../src/verifier/steps.ts'
import { nitroSteps, type NitroEvidence, type NitroInput } from '../../../src/verifier/nitro/index.ts'

export type { NitroInput }

/** A Nitro document without the rest of its evidence, by the steps that verdicts consist of. */
export function verifyNitroDocument(input: NitroInput): StepsResult<{ readonly evidence: NitroEvidence }> {
  return nitroSteps(input.nonce !== undefined).verify(input)
}

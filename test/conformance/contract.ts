import type { JsonValue } from '../../src/verifier/strict-json.ts'

/** How a call of the adapter can end, by the suite's exit codes. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly outputs: object }
  /** Of the output schemas, those of verify-sigstore and verify-full alone have room for a message; the stage that refused is named by the latter. */
  | { readonly kind: 'rejected'; readonly code: string; readonly message?: string; readonly stage?: string }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'malformed'; readonly message: string }

export const exitCodes = { accepted: 0, rejected: 10, unsupported: 20, malformed: 30, internal: 1 } as const

/** Runs another stage, for one that is made of several. */
export type StageRun = (stage: string, input: JsonValue) => Promise<Outcome>

/** Input that is not what the stage's schema asks for. */
export class MalformedInput extends Error {
  override name = 'MalformedInput'
}

/** The object for stdout. */
export function toOutput(stage: string, outcome: Outcome): object {
  switch (outcome.kind) {
    case 'accepted':
      return { stage, accepted: true, outputs: outcome.outputs }
    case 'rejected':
      return {
        stage,
        accepted: false,
        rejection: {
          code: outcome.code,
          ...(outcome.stage !== undefined && { stage: outcome.stage }),
          ...(outcome.message !== undefined && { message: outcome.message }),
        },
      }
    case 'unsupported':
      return { stage, unsupported: true }
    case 'malformed':
      return { stage, malformed: true, message: outcome.message }
  }
}

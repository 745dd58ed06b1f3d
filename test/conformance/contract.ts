import type { JsonValue } from '../../src/verifier/strict-json.ts'

/** The possible ends of an adapter call, by the suite's exit codes. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly outputs: object }
  /**
   * Only the output schemas of verify-sigstore and verify-full allow a message. Only that of verify-full
   * names the stage that refused.
   */
  | { readonly kind: 'rejected'; readonly code: string; readonly message?: string; readonly stage?: string }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'malformed'; readonly message: string }

export const exitCodes = { accepted: 0, rejected: 10, unsupported: 20, malformed: 30, internal: 1 } as const

/** Runs another stage, for a stage that combines several. */
export type StageRun = (stage: string, input: JsonValue) => Promise<Outcome>

/** The input doesn't match the stage's schema. */
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

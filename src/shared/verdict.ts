import { z } from 'zod'
import {
  attestationCodes,
  stepOutcomes,
  verdictNotices,
  type AttestationCode,
  type StepOutcome,
  type VerdictNoticeCode,
} from '../verifier/types.ts'
import { imageRuleSchema } from './policy/service-enclave.ts'
import { localizedTextSchema } from './localized-text-schema.ts'
import { renderEnglish } from './localized-text.ts'

export { verdictNotices, type StepOutcome, type VerdictNoticeCode }

export const attestationCodeSchema = z
  .string()
  .refine((code): code is AttestationCode => Object.hasOwn(attestationCodes, code))

const verdictStepSchema = z.object({
  /** Stable name, such as `report/signature`. */
  id: z.string(),
  /** A short title in plain words of what the step shows. */
  title: z.string(),
  outcome: z.enum(stepOutcomes),
  /** True if the policy requires this step to pass. */
  required: z.boolean(),
  /** The step judges an unsigned claim of the service. It can refuse evidence, and proves nothing. */
  claim: z.literal(true).optional(),
  /** A phrase or an unchanged value, such as lowercase hex. Empty if the step wasn’t reached. */
  expected: localizedTextSchema,
  observed: localizedTextSchema,
  code: attestationCodeSchema.optional(),
})
export type VerdictStep = z.infer<typeof verdictStepSchema>

const verdictNoticeCodes = [
  'fresh/unreachable',
  'policy/provider-floor-accepted',
  'report/tcb-below-expected',
  'trust/sigstore-root-stale',
] as const satisfies readonly VerdictNoticeCode[]

export const verdictSchema = z.object({
  /** Every step that the policy requires passed. */
  good: z.boolean(),
  steps: z.array(verdictStepSchema),
  /** The first step that failed. */
  failure: z.object({ step: z.string(), code: attestationCodeSchema, says: z.string() }).optional(),
  /** Whose roots it was judged by; the window's sandbox mark is derived from it. */
  trust: z.enum(['built-in', 'sandbox']),
  platform: z.string().optional(),
  enclaveHost: z.string(),
  /** The measurement as one value in lowercase hex: the only register, or a SHA-256 over all of them. */
  measurement: z.string().optional(),
  /** The registers that the hardware measured, by the names that their makers give them. */
  registers: z.array(z.object({ name: z.string(), hex: z.string() })).optional(),
  release: z
    .object({
      repository: z.string(),
      tag: z.string(),
      commit: z.string().optional(),
      digest: z.string(),
      loggedAt: z.number().optional(),
    })
    .optional(),
  /** Lowercase hex; present only when the report that carries it was authenticated. */
  hpkePublicKey: z.string().optional(),
  tlsKeyFingerprint: z.string().optional(),
  /** `nonce-bound`, signed by the hardware at a time, or at least as new as the release's entry in the transparency log (Unix ms). Only signed times count. */
  freshness: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('nonce-bound') }),
      z.object({ kind: z.literal('signed-at'), signedTime: z.number() }),
      z.object({ kind: z.literal('at-least-as-new-as'), logTime: z.number() }),
    ])
    .optional(),
  /** The machine as its publisher's signed list names it, and the name of the rules for it. Only document v3 proves it. */
  machine: z.object({ identity: z.string(), policy: z.string() }).optional(),
  /**
   * For the service's own enclave: the rule by which its image was accepted, and the claims of the
   * service's record about it.
   */
  image: z
    .object({ rule: imageRuleSchema, version: z.string().optional(), commit: z.string().optional() })
    .optional(),
  /** Unix ms. */
  verifiedAt: z.number(),
  /** Unix ms: the earliest of one hour after `verifiedAt` and the end of any certificate or collateral that was relied on. */
  validUntil: z.number(),
  /** Information for the user in addition to the verdict, which it doesn't change. */
  notices: z.array(z.object({ code: z.enum(verdictNoticeCodes), says: z.string() })).optional(),
  /** SHA-256 of the evidence as received, hex. */
  evidenceDigest: z.string(),
})
export type Verdict = z.infer<typeof verdictSchema>

/** A verdict for tools and files: what each step expected and observed is English text, the same whatever the window's language is. */
export const englishVerdictSchema = verdictSchema.extend({
  steps: z.array(verdictStepSchema.extend({ expected: z.string(), observed: z.string() })),
})
export type EnglishVerdict = z.infer<typeof englishVerdictSchema>

export function stepsInEnglish(steps: readonly VerdictStep[]): EnglishVerdict['steps'] {
  return steps.map((step) => ({
    ...step,
    expected: renderEnglish(step.expected),
    observed: renderEnglish(step.observed),
  }))
}

export function verdictInEnglish(verdict: Verdict): EnglishVerdict {
  return { ...verdict, steps: stepsInEnglish(verdict.steps) }
}

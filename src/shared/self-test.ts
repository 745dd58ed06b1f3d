import { z } from 'zod'
import { sandboxFaultSchema, sandboxPlatforms, sandboxPlatformSchema } from './sandbox-faults.ts'
import { attestationCodeSchema } from './verdict.ts'

/**
 * The target of an attack: the enclave of private models on each platform, or the service's own enclave.
 */
export const selfTestTargetSchema = z.enum([...sandboxPlatformSchema.options, 'service-enclave'])
export type SelfTestTarget = z.infer<typeof selfTestTargetSchema>
export const selfTestTargets: Readonly<Record<SelfTestTarget, string>> = {
  ...sandboxPlatforms,
  'service-enclave': 'The service’s own enclave',
}

/** One request to the self-test's own sandbox. */
const selfTestAttemptSchema = z.object({
  platform: selfTestTargetSchema,
  /** Null is the control: the enclave is sound, and the request must go through. */
  fault: sandboxFaultSchema.nullable(),
})
export type SelfTestAttempt = z.infer<typeof selfTestAttemptSchema>

/** Why a request was refused: the error's code, and of a verdict the step that failed. */
const selfTestRefusalSchema = z.object({
  code: z.string(),
  says: z.string(),
  step: z.object({ id: z.string(), title: z.string(), code: attestationCodeSchema }).optional(),
})
export type SelfTestRefusal = z.infer<typeof selfTestRefusalSchema>

const selfTestResultSchema = z.object({
  /** Sotto reacted correctly, and the sandbox received no more than allowed. */
  held: z.boolean(),
  /** Null: the request was answered. */
  refusal: selfTestRefusalSchema.nullable(),
  /** The expected error code; null if the request must succeed. */
  expected: z.string().nullable(),
  /** The sandbox's counts during the attempt. */
  received: z.object({
    /** Bytes of request bodies. */
    bodyBytes: z.int().min(0),
    /** Every body was sealed, and none contained the question. */
    sealed: z.boolean(),
  }),
})
export type SelfTestResult = z.infer<typeof selfTestResultSchema>

/**
 * The events of the self-test: the plan, then the start and the result of each attempt by its index in the
 * plan, then the summary.
 */
export const selfTestEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('planned'), attempts: z.array(selfTestAttemptSchema) }),
  z.object({ type: z.literal('started'), index: z.int().min(0) }),
  z.object({ type: z.literal('finished'), index: z.int().min(0), result: selfTestResultSchema }),
  z.object({ type: z.literal('ended'), held: z.int().min(0), attempts: z.int().min(0) }),
])
export type SelfTestEvent = z.infer<typeof selfTestEventSchema>

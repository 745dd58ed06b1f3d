import { z } from 'zod'

/** The simulated fault of one route of the sandbox. */
export const routeFaultSchema = z.strictObject({
  /** Answers with this status instead, and does nothing. */
  status: z.int().min(400).max(599).optional(),
  /** Seconds, with 429 and 503. */
  retryAfter: z.int().min(0).max(86_400).optional(),
  /** Waits so long first. */
  latencyMs: z.int().min(0).max(600_000).optional(),
  /** Does everything, and then drops the connection within the answer. */
  cut: z.boolean().optional(),
  /** Does everything, stops within the answer, and holds the connection open. */
  stalled: z.boolean().optional(),
})
export type RouteFault = z.infer<typeof routeFaultSchema>

export const sandboxRouteSchema = z.object({
  /** `POST /v1/images/generations` */
  name: z.string(),
  /** The group of the route, such as `Images`. */
  group: z.string(),
  /** The purpose of the route. */
  description: z.string(),
  /** False: only a delay can be simulated, because its other faults are those of the enclave. */
  fails: z.boolean(),
  fault: routeFaultSchema.nullable(),
})
export type SandboxRoute = z.infer<typeof sandboxRouteSchema>

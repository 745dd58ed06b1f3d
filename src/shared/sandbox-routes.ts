import { z } from 'zod'

/** What one route of the sandbox is told to do wrong. */
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
  /** What it belongs to: `Images`. */
  group: z.string(),
  /** What it is for. */
  says: z.string(),
  /** False: it can be told to wait, and what else goes wrong there is a fault of the enclave. */
  fails: z.boolean(),
  fault: routeFaultSchema.nullable(),
})
export type SandboxRoute = z.infer<typeof sandboxRouteSchema>

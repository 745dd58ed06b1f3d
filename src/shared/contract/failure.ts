import { z } from 'zod'
import { saidSchema } from '../said-schema.ts'

/** A coded failure as it crosses to the window: enough to explain itself and nothing that is secret. */
export const failureSchema = z.object({
  code: z.string(),
  says: z.string(),
  remedy: z.string(),
  detail: saidSchema.optional(),
  step: z.string().optional(),
  stepCode: z.string().optional(),
  receiptId: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
})
export type Failure = z.infer<typeof failureSchema>

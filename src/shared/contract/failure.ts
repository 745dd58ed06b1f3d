import { z } from 'zod'
import { localizedTextSchema } from '../localized-text-schema.ts'

/** A coded failure as it crosses to the window: enough to explain itself and nothing that is secret. */
export const failureSchema = z.object({
  code: z.string(),
  says: z.string(),
  remedy: z.string(),
  detail: localizedTextSchema.optional(),
  step: z.string().optional(),
  stepCode: z.string().optional(),
  receiptId: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
})
export type Failure = z.infer<typeof failureSchema>

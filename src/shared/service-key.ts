import { z } from 'zod'
import { picoUsdSchema } from './receipt.ts'

/** The rules of the service (specification, API key object): 1 to 25 characters, unique per account. */
export const serviceKeyNameSchema = z
  .string()
  .min(1)
  .max(25)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u)

export const resetPeriods = ['daily', 'weekly', 'monthly'] as const

/**
 * An API key of the service, without its secret. Absent members weren't reported; null was reported as
 * none.
 */
export const serviceKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Pico-USD. */
  cap: picoUsdSchema.nullable().exactOptional(),
  spentInPeriod: picoUsdSchema.exactOptional(),
  spentInAll: picoUsdSchema.exactOptional(),
  resetPeriod: z.enum(resetPeriods).nullable().exactOptional(),
  /** Unix ms. */
  resetsAt: z.number().nullable().exactOptional(),
  expiresAt: z.number().nullable().exactOptional(),
  createdAt: z.number().exactOptional(),
  updatedAt: z.number().exactOptional(),
  revokedAt: z.number().nullable().exactOptional(),
  /** The active account of this installation uses it. */
  inUse: z.boolean(),
})
export type ServiceKey = z.infer<typeof serviceKeySchema>

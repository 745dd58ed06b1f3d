import { z } from 'zod'
import type { AutoLockSettings, LockReason } from './lock.ts'

/** Strict, so that a setting of a later version isn't accepted. */
export const autoLockSchema: z.ZodType<AutoLockSettings> = z.strictObject({
  afterMinutes: z.int().min(1).max(1_440).nullable(),
  onSleep: z.boolean(),
})

export const lockReasonSchema: z.ZodType<LockReason> = z.discriminatedUnion('by', [
  z.object({ by: z.literal('request') }),
  z.object({ by: z.literal('idle'), minutes: z.int() }),
  z.object({ by: z.literal('sleep') }),
])

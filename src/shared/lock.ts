import { z } from 'zod'

/** What the window offers; the contract takes any whole number of minutes up to a day. */
export const lockMinutesOffered = [1, 5, 15, 30, 60, 240] as const

/** When Sotto locks without being asked. */
export const autoLockSchema = z.strictObject({
  /** Minutes without use; null: never. */
  afterMinutes: z.int().min(1).max(1_440).nullable(),
  /** When the computer goes to sleep, or was found to have slept. */
  onSleep: z.boolean(),
})
export type AutoLockSettings = z.infer<typeof autoLockSchema>

export const NO_AUTO_LOCK: AutoLockSettings = { afterMinutes: null, onSleep: false }

/** Why Sotto is locked. A start without a passphrase has no reason to give. */
export const lockReasonSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('request') }),
  z.object({ by: z.literal('idle'), minutes: z.int() }),
  z.object({ by: z.literal('sleep') }),
])
export type LockReason = z.infer<typeof lockReasonSchema>

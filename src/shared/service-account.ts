import { z } from 'zod'

/**
 * The schema of an account's local name. It's shown in lists and in questions, so it has no control
 * characters and no marks that reverse text.
 */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u)

/** An account at the service as it's stored in the vault, with masked credentials. */
export const serviceAccountSchema = z.object({
  id: z.string(),
  name: accountNameSchema,
  /** The one whose balance pays; at most one. */
  active: z.boolean(),
  /** Absent if the service gave no API key when it created the account: without one, the account pays for nothing. */
  keyMasked: z.string().exactOptional(),
  /** Absent if Sotto has only the API key: the account's keys and its automatic top-up can't be managed here. */
  creditIdMasked: z.string().exactOptional(),
  /** Unix ms. */
  addedAt: z.number(),
  /** Its credentials are saved elsewhere: the owner confirmed it, or a backup was created. */
  saved: z.boolean(),
})
export type ServiceAccount = z.infer<typeof serviceAccountSchema>

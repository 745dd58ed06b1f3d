import { z } from 'zod'

/** What an account may be called here: it stands in lists and in questions, so without controls and marks that turn text around. */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u)

/** An account at the service, as it is kept in this installation's vault; its parts masked. */
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
  /** Its credentials were written down elsewhere: said by the owner, or a backup was made. */
  saved: z.boolean(),
})
export type ServiceAccount = z.infer<typeof serviceAccountSchema>

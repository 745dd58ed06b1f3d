import { z } from 'zod'

/** What an account may be called here: it stands in lists and in questions, so without controls and marks that turn text around. */
export const accountNameSchema = z.string().trim().min(1).max(40).regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u)

/** An account at the service, as it is kept in this installation's vault; its parts masked. */
export const serviceAccountSchema = z.object({
  id: z.string(),
  name: accountNameSchema,
  /** The one whose balance pays; at most one. */
  active: z.boolean(),
  keyMasked: z.string(),
  /** Absent: the account was connected by its key alone, so its keys and its automatic topup cannot be managed here. */
  creditIdMasked: z.string().exactOptional(),
  /** Unix ms. */
  addedAt: z.number(),
  /** Its credentials were written down elsewhere: said by the owner, or a backup was made. */
  saved: z.boolean(),
})
export type ServiceAccount = z.infer<typeof serviceAccountSchema>

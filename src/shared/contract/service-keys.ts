import { z } from 'zod'
import { resetPeriods, serviceKeyNameSchema, serviceKeySchema } from '../service-key.ts'
import { call } from './call.ts'

const one = z.object({ keyId: z.string().min(1).max(100) })
/** Dollars in decimal text, at least 0.01; null: no cap. */
const cap = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/)
  .nullable()
const resetPeriod = z.enum(resetPeriods).nullable()
const expiresAt = z.int().min(0).nullable()

/** The service's API keys of the active account, by its credit id. Every call throws service/no-credit-id without one. */
export const serviceKeysContract = {
  list: call
    .input(z.object({ includeRevoked: z.boolean().default(false) }))
    .output(z.object({ keys: z.array(serviceKeySchema), unreadable: z.int().min(0) })),
  /** The key itself stands in this answer alone. */
  create: call
    .input(
      z.object({
        name: serviceKeyNameSchema,
        cap: cap.default(null),
        resetPeriod: resetPeriod.default(null),
        expiresAt: expiresAt.default(null),
      }),
    )
    .output(z.object({ key: serviceKeySchema, secret: z.string() })),
  /** Only what is present is changed; null clears. */
  update: call
    .input(
      one.extend({
        name: serviceKeyNameSchema.optional(),
        cap: cap.optional(),
        resetPeriod: resetPeriod.optional(),
        expiresAt: expiresAt.optional(),
      }),
    )
    .output(serviceKeySchema),
  /** For good, after a confirmation outside the window where this installation uses it: no account is active then. */
  revoke: call.input(one).output(serviceKeySchema),
  /**
   * A new key with the same limits; the active account moves to it where it used the old one; then the old one is revoked.
   * What fails on the way leaves at least one key that works: `revoked` says whether the old one still is. After a confirmation.
   */
  rotate: call
    .input(one)
    .output(z.object({ key: serviceKeySchema, secret: z.string(), revoked: z.boolean() })),
  /** The key itself, after a confirmation outside the window. */
  reveal: call.input(one).output(z.object({ secret: z.string() })),
}

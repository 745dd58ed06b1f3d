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
  /** Only this response includes the key itself. */
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
  /** Changes only the members that are present; null clears one. */
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
  /**
   * Permanent. Requires confirmation outside the window if this installation uses the key: no account is
   * active afterwards.
   */
  revoke: call.input(one).output(serviceKeySchema),
  /**
   * Creates a key with the same limits, moves the active account to it if it used the old key, and then
   * revokes the old key. If a step fails, at least one key still works: `revoked` states whether the old
   * one is revoked. Requires confirmation.
   */
  rotate: call
    .input(one)
    .output(z.object({ key: serviceKeySchema, secret: z.string(), revoked: z.boolean() })),
  /** The key itself, after a confirmation outside the window. */
  reveal: call.input(one).output(z.object({ secret: z.string() })),
}

import { z } from 'zod'
import { keyLimitsTextSchema } from './key-limits.ts'
import { picoUsdSchema, receiptSchema } from './receipt.ts'

/**
 * The schema of a key's name. It's shown in lists and in a terminal, so it has no control characters and no
 * marks that reverse text.
 */
export const keyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u)

/** Two live keys must differ by more than letter case or the composition of an accent. */
export function sameKeyName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** A local key without its secret. The vault has the secrets of the first key and of keys for `sotto run`; other secrets are shown once. */
export const localKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The key that Sotto created and stores in the vault. It can be rotated, but never revoked. */
  first: z.boolean(),
  /** Unix ms. */
  createdAt: z.number(),
  state: z.enum(['live', 'expired', 'revoked']),
  /** Unix ms. */
  revokedAt: z.number().exactOptional(),
  limits: keyLimitsTextSchema,
  /** The amount charged in the current period of its budget; without a budget, in total. */
  spent: picoUsdSchema,
  /** Reserved for running requests. It counts against the budget as spent amounts do; "0" with a soft budget. */
  held: picoUsdSchema,
  /** The temporary increase of its budget, while it counts; `until` in Unix ms. */
  increase: z.object({ picoUsd: picoUsdSchema, until: z.number() }).exactOptional(),
  /** Unix ms of the next reset. Absent if it never resets. */
  renewsAt: z.number().exactOptional(),
  /** Requests with a receipt, refused ones too. */
  requests: z.int().min(0),
  /** Unix ms of the first and the last of them. */
  firstUsedAt: z.number().exactOptional(),
  lastUsedAt: z.number().exactOptional(),
})
export type LocalKeyView = z.infer<typeof localKeySchema>

/** A line of the request list: the receipt of a request with a local key. `id` is the receipt's. */
export const localRequestSchema = receiptSchema
  .pick({
    id: true,
    at: true,
    model: true,
    askedModel: true,
    path: true,
    privacy: true,
    outcome: true,
    code: true,
    usage: true,
    estimate: true,
    cost: true,
    charged: true,
    addedMs: true,
    durationMs: true,
  })
  .extend({
    keyId: z.string(),
    /** The key's name. */
    tool: z.string(),
  })
export type LocalRequest = z.infer<typeof localRequestSchema>

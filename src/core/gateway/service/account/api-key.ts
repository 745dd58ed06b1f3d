import { z } from 'zod'
import { renamed, wrapped } from '../http/shapes.ts'
import { lenient, lenientOrNull, moment, text, usd } from '../http/wire.ts'
import { credentialSchema } from './create-account.ts'

export const resetPeriods = ['daily', 'weekly', 'monthly'] as const
export type ResetPeriod = (typeof resetPeriods)[number]

/**
 * An API key as one answer shows it (specification, API key object). Each endpoint returns a part of the
 * members. Undefined: the answer doesn't state it. Null: there is none.
 */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The key itself: a secret. */
  readonly apiKey?: string | undefined
  /** Pico-USD; null: no cap. */
  readonly spendingCap?: bigint | null | undefined
  /** Pico-USD. */
  readonly spentInPeriod?: bigint | undefined
  readonly spentInAll?: bigint | undefined
  readonly resetPeriod?: ResetPeriod | null | undefined
  /** Unix ms. */
  readonly resetsAt?: number | null | undefined
  readonly expiresAt?: number | null | undefined
  readonly createdAt?: number | undefined
  readonly updatedAt?: number | undefined
  /** null while the key is active. */
  readonly revokedAt?: number | null | undefined
}

/** `_id` is a record identifier, which is used in paths. */
export const keyIdSchema = z.string().regex(/^[\w-]{1,100}$/)

const keySchema = z
  .object({
    _id: keyIdSchema,
    name: text(200),
    api_key: lenient(credentialSchema),
    usage_limit_usd: lenientOrNull(usd),
    current_period_usage_usd: lenient(usd),
    total_usage_all_time_usd: lenient(usd),
    reset_period: lenientOrNull(z.enum(resetPeriods)),
    reset_at: lenientOrNull(moment),
    expire_at: lenientOrNull(moment),
    created_at: lenient(moment),
    updated_at: lenient(moment),
    deleted_at: lenientOrNull(moment),
  })
  .transform((key): ApiKey => ({
    id: key._id,
    name: key.name,
    apiKey: key.api_key,
    spendingCap: key.usage_limit_usd,
    spentInPeriod: key.current_period_usage_usd,
    spentInAll: key.total_usage_all_time_usd,
    resetPeriod: key.reset_period,
    resetsAt: key.reset_at,
    expiresAt: key.expire_at,
    createdAt: key.created_at,
    updatedAt: key.updated_at,
    revokedAt: key.deleted_at,
  }))

/** An entry of a list. */
export const apiKeySchema = renamed(keySchema, { _id: ['id'] })

/** `{ status, data }`. The key itself is shown once, so an answer without a wrapper is read too. */
export const apiKeyAnswer = wrapped(apiKeySchema)

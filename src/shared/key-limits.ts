import { z } from 'zod'
import { parseOrigin } from './origin.ts'

/** Calendar periods in the time zone of the computer that Sotto runs on; weeks begin on Monday. */
export const budgetPeriods = ['day', 'week', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** What a local key may spend within each period. Nothing, if it is 0. */
export interface Budget {
  readonly picoUsd: bigint
  readonly period: BudgetPeriod
  /** Refuses requests only after the spent amount reached the budget, and reserves nothing. Absent: hard, which reserves the most that each request can cost. */
  readonly soft?: true
  /** Percent of the budget, 1 to 99: once that much is spent, Sotto reports it. */
  readonly alertPercent?: number
}

/** Adds to a budget for a time. */
export interface BudgetIncrease {
  readonly picoUsd: bigint
  /** Unix ms, of the clock that limits count by. */
  readonly until: number
  /** `resetAt` of that clock when the increase began. If the clock is set back later, the increase has ended and doesn't begin again. */
  readonly clock: number
}

/**
 * Permissions that a local key has only if they were granted: to read the balance, the history, and the
 * metrics of this proxy, and to pay per request if no account is connected.
 */
export const keyGrants = ['balance', 'history', 'metrics', 'pay-per-request'] as const
export type KeyGrant = (typeof keyGrants)[number]

/** The lowest privacy that a key's requests may have. */
export const leastPrivacies = ['sealed', 'relayed'] as const
export type LeastPrivacy = (typeof leastPrivacies)[number]

/** Another name of a model. */
export interface ModelAlias {
  /** A name that a tool sends. `*` matches any text, also an empty one. */
  readonly pattern: string
  /** ID of the model that is used. */
  readonly model: string
}

/** Tools that Sotto runs within the requests of a key. Each call needs a person's consent in the window. */
export interface ServerTools {
  readonly webSearch?: true
  /** ID of the project whose documents can be read. */
  readonly knowledge?: string
}

/** The permissions of a local key. */
export interface KeyLimits {
  /** Absent: whatever the account pays for. */
  readonly budget?: Budget
  /** Allows requests of unknown price until the budget is used up. One of them can exceed it. */
  readonly allowUnpriced?: boolean
  /** Unix ms from which on the key is invalid. */
  readonly expiresAt?: number
  /** Who may read requests at most: `sealed` only the enclave that serves the model, `relayed` also a model's provider; absent: anyone. */
  readonly atLeast?: LeastPrivacy
  /** Ids of models, in which `*` stands for any text; absent: all. */
  readonly models?: readonly string[]
  /** Averaged over a minute; a burst may use up one minute's worth at once. */
  readonly requestsPerMinute?: number
  /** Refuses requests while replies of the last minute used so many tokens or more. */
  readonly tokensPerMinute?: number
  /** How many requests may run at once. */
  readonly parallelRequests?: number
  /** Absent: none. */
  readonly grants?: readonly KeyGrant[]
  /** The first one that matches counts. */
  readonly aliases?: readonly ModelAlias[]
  /** Origins of web pages and web views that may send the key, in the form of `parseOrigin`; absent: none. */
  readonly origins?: readonly string[]
  /** Absent: none. */
  readonly serverTools?: ServerTools
}

/** The last moment that a date can name (ECMA-262, Time Values). */
const LAST_MS = 8_640_000_000_000_000

/** An amount in pico-USD, as limits contain it. */
export const limitAmountSchema = z.string().regex(/^(0|[1-9]\d{0,29})$/)

export const MAX_ALIASES = 50
export const MAX_ORIGINS = 50

/** A pattern or a model of an alias: an attacker could hide something else behind spaces and controls. */
const aliasTextSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s\p{C}]+$/u)
export const modelAliasSchema = z.object({
  pattern: aliasTextSchema,
  model: aliasTextSchema.refine((model) => !model.includes('*')),
})
export const originSchema = z.string().refine((text) => parseOrigin(text) === text)

/** At least one tool. An unknown one is refused, because it could be a misspelled one. */
const serverToolsSchema = z
  .strictObject({
    webSearch: z.literal(true).exactOptional(),
    knowledge: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .exactOptional(),
  })
  .refine(({ webSearch, knowledge }) => webSearch === true || knowledge !== undefined)

/** Also in the forms from before `atLeast` existed, and before soft budgets did. */
const storedLimitsSchema = z.object({
  budget: z
    .object({
      picoUsd: limitAmountSchema,
      period: z.enum(budgetPeriods),
      soft: z.literal(true).exactOptional(),
      alertPercent: z.int().min(1).max(99).exactOptional(),
    })
    .exactOptional(),
  allowUnpriced: z.boolean().exactOptional(),
  expiresAt: z.int().min(0).max(LAST_MS).exactOptional(),
  atLeast: z.enum(leastPrivacies).exactOptional(),
  privateOnly: z.boolean().exactOptional(),
  models: z.array(z.string().min(1).max(200)).min(1).max(100).exactOptional(),
  requestsPerMinute: z.int().min(1).max(1_000_000).exactOptional(),
  tokensPerMinute: z.int().min(1).max(999_999_999).exactOptional(),
  parallelRequests: z.int().min(1).max(999).exactOptional(),
  grants: z.array(z.enum(keyGrants)).max(keyGrants.length).exactOptional(),
  aliases: z.array(modelAliasSchema).min(1).max(MAX_ALIASES).exactOptional(),
  origins: z.array(originSchema).min(1).max(MAX_ORIGINS).exactOptional(),
  serverTools: serverToolsSchema.exactOptional(),
})

/** The limits that a person writes into a file. An unknown member is refused, because it could be a misspelled limit. */
export const strictKeyLimitsSchema = z.strictObject(storedLimitsSchema.omit({ privateOnly: true }).shape)

/** Limits as they are stored and passed to the window: money in decimal text. */
export const keyLimitsTextSchema = storedLimitsSchema.transform(({ privateOnly, ...limits }) => ({
  ...limits,
  ...(privateOnly && { atLeast: 'sealed' as const }),
}))
export type KeyLimitsText = z.infer<typeof keyLimitsTextSchema>

export function readKeyLimits({ budget, ...others }: KeyLimitsText): KeyLimits {
  return { ...others, ...(budget && { budget: { ...budget, picoUsd: BigInt(budget.picoUsd) } }) }
}

export function writeKeyLimits({
  budget,
  models,
  grants,
  aliases,
  origins,
  ...others
}: KeyLimits): KeyLimitsText {
  return {
    ...others,
    ...(budget && { budget: { ...budget, picoUsd: budget.picoUsd.toString() } }),
    ...(models && { models: [...models] }),
    ...(grants && { grants: [...grants] }),
    ...(aliases && { aliases: [...aliases] }),
    ...(origins && { origins: [...origins] }),
  }
}

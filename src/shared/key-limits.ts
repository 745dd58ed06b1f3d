import { z } from 'zod'

/** Calendar periods in the time zone of the computer that Sotto runs on; weeks begin on Monday. */
export const budgetPeriods = ['day', 'week', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** What a local key may spend within each period. Nothing, where it is 0. */
export interface Budget {
  readonly picoUsd: bigint
  readonly period: BudgetPeriod
}

/**
 * What a local key has only where it was given: to read the balance, to read the history, to read the metrics of
 * this proxy, and to have requests paid one by one where no account is connected.
 */
export const keyGrants = ['balance', 'history', 'metrics', 'pay-per-request'] as const
export type KeyGrant = (typeof keyGrants)[number]

/** What a key's requests must at least be. */
export const leastPrivacies = ['sealed', 'relayed'] as const
export type LeastPrivacy = (typeof leastPrivacies)[number]

/** What the holder of a local key may do. */
export interface KeyLimits {
  /** Absent: whatever the account pays for. */
  readonly budget?: Budget
  /** Also requests whose most is not known beforehand, as long as the budget is not used up. One of them can exceed it. */
  readonly allowUnpriced?: boolean
  /** Unix ms from which on the key is none. */
  readonly expiresAt?: number
  /** Who may read requests at most: `sealed` only the enclave that serves the model, `relayed` also a model's provider; absent: anyone. */
  readonly atLeast?: LeastPrivacy
  /** Ids of models, in which `*` stands for any text; absent: all. */
  readonly models?: readonly string[]
  /** Averaged over a minute; a burst may use up one minute's worth at once. */
  readonly requestsPerMinute?: number
  /** Absent: none. */
  readonly grants?: readonly KeyGrant[]
}

/** The last moment that a date can name (ECMA-262, Time Values). */
const LAST_MS = 8_640_000_000_000_000

/** Also as they were kept before `atLeast` existed. */
const keptLimitsSchema = z.object({
  budget: z.object({ picoUsd: z.string().regex(/^(0|[1-9]\d{0,29})$/), period: z.enum(budgetPeriods) }).exactOptional(),
  allowUnpriced: z.boolean().exactOptional(),
  expiresAt: z.int().min(0).max(LAST_MS).exactOptional(),
  atLeast: z.enum(leastPrivacies).exactOptional(),
  privateOnly: z.boolean().exactOptional(),
  models: z.array(z.string().min(1).max(200)).min(1).max(100).exactOptional(),
  requestsPerMinute: z.int().min(1).max(1_000_000).exactOptional(),
  grants: z.array(z.enum(keyGrants)).max(keyGrants.length).exactOptional(),
})

/** Limits as they are kept and as they cross to the window: money in decimal text. */
export const keyLimitsTextSchema = keptLimitsSchema.transform(({ privateOnly, ...limits }) => ({ ...limits, ...(privateOnly && { atLeast: 'sealed' as const }) }))
export type KeyLimitsText = z.infer<typeof keyLimitsTextSchema>

/**
 * Computes the remaining budget in pico-USD. Amounts held for running requests count as spent.
 *
 * @param used both in pico-USD, for the period of the budget
 * @returns 0n if the budget is used up or exceeded
 */
export function remainingBudget({ picoUsd }: Pick<Budget, 'picoUsd'>, used: { readonly spent: bigint; readonly held: bigint }): bigint {
  const left = picoUsd - used.spent - used.held
  return left > 0n ? left : 0n
}

export function readKeyLimits({ budget, ...others }: KeyLimitsText): KeyLimits {
  return { ...others, ...(budget && { budget: { ...budget, picoUsd: BigInt(budget.picoUsd) } }) }
}

export function writeKeyLimits({ budget, models, grants, ...others }: KeyLimits): KeyLimitsText {
  return {
    ...others,
    ...(budget && { budget: { ...budget, picoUsd: budget.picoUsd.toString() } }),
    ...(models && { models: [...models] }),
    ...(grants && { grants: [...grants] }),
  }
}

/** Calendar periods in UTC; weeks begin on Monday. */
export const budgetPeriods = ['day', 'week', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** What a local key may spend within each period. Nothing, where it is 0. */
export interface Budget {
  readonly picoUsd: bigint
  readonly period: BudgetPeriod
}

/** What the holder of a local key may do. */
export interface KeyLimits {
  /** Absent: whatever the account pays for. Spending is counted while there is one. */
  readonly budget?: Budget
  /** Also requests whose most is not known beforehand, as long as the budget is not used up. One of them can exceed it. */
  readonly allowUnpriced?: boolean
  /** Unix ms from which on the key is none. */
  readonly expiresAt?: number
  /** Nothing that the service can read. */
  readonly privateOnly?: boolean
  /** Ids of models, in which `*` stands for any text; absent: all. */
  readonly models?: readonly string[]
  /** Averaged over a minute; a burst may use up one minute's worth at once. */
  readonly requestsPerMinute?: number
}

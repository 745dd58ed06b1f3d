import type { Budget, BudgetIncrease } from './key-limits.ts'

/** A budget and its use in the current period. Amounts are in pico-USD. Without zod: the window and the commands compute with it too. */
export interface BudgetUse {
  readonly budget: Pick<Budget, 'picoUsd' | 'alertPercent'>
  /** Only while it counts. */
  readonly increase?: Pick<BudgetIncrease, 'picoUsd'> | undefined
  readonly spent: bigint
  /** Reserved for running requests; 0n for a soft budget. */
  readonly held: bigint
}

/** The amount that counts now, in pico-USD: the budget with its temporary increase. */
export function usableBudget({ budget, increase }: Pick<BudgetUse, 'budget' | 'increase'>): bigint {
  return budget.picoUsd + (increase?.picoUsd ?? 0n)
}

/** @returns pico-USD; 0n if the budget is used up or exceeded. Reserved amounts count as spent */
export function remainingBudget(use: BudgetUse): bigint {
  const left = usableBudget(use) - use.spent - use.held
  return left > 0n ? left : 0n
}

/** @returns the percentage of the alert if the spent amount has reached it; otherwise undefined */
export function reachedAlert(use: Omit<BudgetUse, 'held'>): number | undefined {
  const { alertPercent } = use.budget
  return alertPercent !== undefined && use.spent * 100n >= usableBudget(use) * BigInt(alertPercent)
    ? alertPercent
    : undefined
}

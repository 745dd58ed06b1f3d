import { remainingBudget, usableBudget } from '../../../../shared/budget-use.ts'
import type { BudgetIncrease } from '../../../../shared/key-limits.ts'
import { isValid, type LocalKeyRecord } from '../guards.ts'

/** The remaining budget of one local key. */
export interface KeyBudgetLeft {
  /** The key's name. No two working keys share one. */
  readonly key: string
  readonly picoUsd: bigint
  /** The budget with its temporary increase, in pico-USD. */
  readonly usable: bigint
}

/**
 * Lists the remaining budgets of the keys that are neither revoked nor expired.
 * @param money a key's spent and reserved amounts and its temporary increase, in pico-USD, in the current
 * period of its budget
 * @param now Unix ms
 */
export function listBudgetsLeft(
  keys: Iterable<LocalKeyRecord & { readonly name: string }>,
  money: (keyId: string) => {
    readonly spent: bigint
    readonly reserved: bigint
    readonly increase?: BudgetIncrease
  },
  now: number,
): KeyBudgetLeft[] {
  return [...keys].flatMap((key) => {
    const { budget } = key.limits
    if (!budget || !isValid(key, now)) return []
    const { spent, reserved, increase } = money(key.id)
    const use = { budget, spent, held: reserved, increase }
    return [{ key: key.name, picoUsd: remainingBudget(use), usable: usableBudget(use) }]
  })
}

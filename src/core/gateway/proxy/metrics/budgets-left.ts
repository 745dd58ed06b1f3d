import { remainingBudget, usableBudget } from '../../../../shared/budget-use.ts'
import type { BudgetIncrease, KeyLimits } from '../../../../shared/key-limits.ts'

/** The remaining budget of one local key. */
export interface KeyBudgetLeft {
  /** The key's name. No two working keys share one. */
  readonly key: string
  readonly picoUsd: bigint
  /** The budget with its temporary increase, in pico-USD. */
  readonly usable: bigint
}

interface Key {
  readonly id: string
  readonly name: string
  readonly limits: KeyLimits
  /** Unix ms. */
  readonly revokedAt?: number
}

/**
 * Lists the remaining budgets of the keys that are neither revoked nor expired.
 * @param money a key's spent and reserved amounts and its temporary increase, in pico-USD, in the current
 * period of its budget
 * @param now Unix ms
 */
export function listBudgetsLeft(
  keys: Iterable<Key>,
  money: (keyId: string) => {
    readonly spent: bigint
    readonly reserved: bigint
    readonly increase?: BudgetIncrease
  },
  now: number,
): KeyBudgetLeft[] {
  return [...keys].flatMap(({ id, name, limits: { budget, expiresAt }, revokedAt }) => {
    const works = revokedAt === undefined && (expiresAt === undefined || now < expiresAt)
    if (!budget || !works) return []
    const { spent, reserved, increase } = money(id)
    const use = { budget, spent, held: reserved, increase }
    return [{ key: name, picoUsd: remainingBudget(use), usable: usableBudget(use) }]
  })
}

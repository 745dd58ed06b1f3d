import { remainingBudget, type KeyLimits } from '../../../shared/key-limits.ts'

/** The remaining budget of one local key. */
export interface KeyBudgetLeft {
  /** The key's name. No two working keys share one. */
  readonly key: string
  readonly picoUsd: bigint
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
 *
 * @param money the spent and the held amount of a key, in pico-USD, in the current period of its budget
 * @param now Unix ms
 */
export function listBudgetsLeft(keys: Iterable<Key>, money: (keyId: string) => { readonly spent: bigint; readonly held: bigint }, now: number): KeyBudgetLeft[] {
  return [...keys].flatMap(({ id, name, limits: { budget, expiresAt }, revokedAt }) => {
    const works = revokedAt === undefined && (expiresAt === undefined || now < expiresAt)
    return budget && works ? [{ key: name, picoUsd: remainingBudget(budget, money(id)) }] : []
  })
}

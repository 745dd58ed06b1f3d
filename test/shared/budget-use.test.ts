import { expect, it } from 'vitest'
import { reachedAlert, remainingBudget } from '../../src/shared/budget-use.ts'

it.each([
  [1000n, 0n, 0n, 1000n],
  // An amount that is held for running requests can't be spent twice.
  [1000n, 300n, 200n, 500n],
  [1000n, 800n, 200n, 0n],
  // A request without a known price may exceed the budget once.
  [1000n, 1200n, 0n, 0n],
  [0n, 0n, 0n, 0n],
])('of a budget of %d with %d spent and %d held, %d remain', (picoUsd, spent, reserved, left) => {
  expect(remainingBudget({ budget: { picoUsd }, spent, held: reserved })).toBe(left)
})

it('a temporary increase remains too', () => {
  expect(
    remainingBudget({ budget: { picoUsd: 1000n }, increase: { picoUsd: 500n }, spent: 1200n, held: 100n }),
  ).toBe(200n)
})

it.each([
  ['below the alert', 799n, undefined, undefined],
  ['at the alert', 800n, undefined, 80],
  ['above the budget', 1500n, undefined, 80],
  ['below the alert of a raised budget', 1199n, 500n, undefined],
  ['at the alert of a raised budget', 1200n, 500n, 80],
])('the alert: %s', (_, spent, more, expected) => {
  expect(
    reachedAlert({
      budget: { picoUsd: 1000n, alertPercent: 80 },
      spent,
      increase: more === undefined ? undefined : { picoUsd: more },
    }),
  ).toBe(expected)
  expect(reachedAlert({ budget: { picoUsd: 1000n }, spent })).toBeUndefined()
})

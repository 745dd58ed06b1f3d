import { expect, it } from 'vitest'
import { remainingBudget } from '../../src/shared/key-limits.ts'

it.each([
  [1000n, 0n, 0n, 1000n],
  // What is held for running requests can't be spent twice.
  [1000n, 300n, 200n, 500n],
  [1000n, 800n, 200n, 0n],
  // A request without a known price may exceed the budget once.
  [1000n, 1200n, 0n, 0n],
  [0n, 0n, 0n, 0n],
])('of a budget of %d with %d spent and %d held, %d remain', (picoUsd, spent, held, left) => {
  expect(remainingBudget({ picoUsd }, { spent, held })).toBe(left)
})

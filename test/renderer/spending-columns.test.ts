import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spendingColumns } from '../../src/renderer/features/wallet/spending/spending-columns.ts'
import type { SpendingGroup } from '../../src/shared/history.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const CENT = 10_000_000_000n

interface Cost {
  readonly day: string
  readonly model: string
  readonly cost: string
}

function group(label: string, cost: bigint): SpendingGroup {
  return { label, cost: cost.toString(), unpriced: 0, requests: 1, inputTokens: 1, outputTokens: 1 }
}

function columnsOf(dayModels: readonly Cost[], more: readonly SpendingGroup[] = []) {
  const day = [...Map.groupBy(dayModels, (each) => each.day)].map(([label, costs]) =>
    group(
      label,
      costs.reduce((sum, { cost }) => sum + BigInt(cost), 0n),
    ),
  )
  const groups = { day: [...day, ...more], model: [], source: [], key: [] }
  return spendingColumns({ groups, dayModels: [...dayModels] }, NOW)
}

test('the first column is the first day with a request, and the last one is today', () => {
  const { days } = columnsOf([{ day: '2026-11-20', model: 'a', cost: String(CENT) }])
  expect(days).toEqual([
    { day: '2026-11-20', microUsd: [10_000] },
    { day: '2026-11-21', microUsd: [0] },
    { day: '2026-11-22', microUsd: [0] },
  ])
})

test('the three costliest models have their own values, and the others share one', () => {
  const { models, others, days } = columnsOf(
    ['a', 'b', 'c', 'd', 'e'].map((model, index) => ({
      day: '2026-11-22',
      model,
      cost: String(CENT * BigInt(index + 1)),
    })),
  )
  expect(models).toEqual(['e', 'd', 'c'])
  expect(others).toBe(true)
  expect(days).toEqual([{ day: '2026-11-22', microUsd: [50_000, 40_000, 30_000, 30_000] }])
})

test('days before the last 30 and requests without a model of their own are handled', () => {
  const { days, others } = columnsOf(
    [{ day: '2026-10-01', model: 'a', cost: String(CENT) }],
    [group('2026-11-22', CENT)],
  )
  expect(others).toBe(true)
  expect(days).toEqual([{ day: '2026-11-22', microUsd: [10_000] }])
})

test('each column adds up to the cost of its day', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          day: fc
            .integer({ min: 0, max: 40 })
            .map((ago) => new Date(NOW - ago * 86_400_000).toISOString().slice(0, 10)),
          model: fc.constantFrom('a', 'b', 'c', 'd', 'e', ''),
          cost: fc.bigInt({ min: 0n, max: 1000n }).map((cents) => String(cents * CENT)),
        }),
      ),
      (costs) => {
        const { days, models } = columnsOf(costs)
        expect(days.length).toBeLessThanOrEqual(30)
        expect(models.length).toBeLessThanOrEqual(3)
        for (const { day, microUsd } of days) {
          const cost = costs
            .filter((each) => each.day === day)
            .reduce((sum, each) => sum + BigInt(each.cost), 0n)
          expect(microUsd.reduce((sum, value) => sum + value, 0)).toBe(Number(cost / 1_000_000n))
        }
      },
    ),
  ))

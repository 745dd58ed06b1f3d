import { expect, test, vi } from 'vitest'
import { receipt } from '../e2e/mock-data.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {} }))

const { MAX_CACHED_RECEIPTS, withReceipts } = await import('../../src/renderer/ui/receipt-store.ts')

const named = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => receipt(`r-${String(from + index)}`, 0))
const full = withReceipts({}, named(0, MAX_CACHED_RECEIPTS))

test('caches as many receipts as any screen shows', () => {
  expect(Object.keys(full)).toHaveLength(MAX_CACHED_RECEIPTS)
})

test('evicts the oldest receipts, except those that were updated', () => {
  const later = withReceipts(withReceipts(full, [receipt('r-0', 7)]), named(1000, 2))
  expect(Object.keys(later)).toHaveLength(MAX_CACHED_RECEIPTS)
  expect(Object.keys(later).slice(-3)).toEqual(['r-0', 'r-1000', 'r-1001'])
  expect(later['r-0']?.at).toBe(7)
  expect(later).not.toHaveProperty('r-1')
})

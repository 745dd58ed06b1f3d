import { expect, it, vi } from 'vitest'
import { LoopLag, type LagStatistics } from '../../../../../src/core/gateway/proxy/metrics/loop-lag.ts'

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** The next samples, once there are some. */
function next(lag: LoopLag): Promise<LagStatistics> {
  return vi.waitUntil(
    () => {
      const statistics = lag.read()
      return statistics.size > 0 && statistics
    },
    { timeout: 10_000 },
  )
}

it('measures how long the event loop was blocked, and begins again once it was read', async () => {
  const lag = new LoopLag()
  expect([...lag.read()]).toEqual([])
  block(1000)
  const blocked = await next(lag)
  expect([...blocked.keys()]).toEqual(['p50', 'p99', 'max'])
  expect(blocked.get('max')).toBeGreaterThan(0.8)
  expect(blocked.get('max')).toBeLessThan(60)
  const later = await next(lag)
  expect(later.get('max')).toBeLessThan(blocked.get('max')!)
  for (const value of later.values()) expect(value).toBeGreaterThan(0)
})

import { expect, test } from 'vitest'
import { BatchBreaker } from '../../../src/core/jobs/batch/batch-breaker.ts'
import { SottoError } from '../../../src/shared/errors.ts'

const HOUR = 3_600_000

test('a refused row waits as long as the service requires, even if the clock is set back', async () => {
  let [now, waited] = [1_800_000_000_000, 0]
  const breaker = new BatchBreaker('job', {
    now: () => now,
    wait: (ms) => {
      waited += ms
      now += ms
      if (waited === 3_000) now -= HOUR
      return waited > HOUR ? Promise.reject(new Error('it waits for the clock')) : Promise.resolve()
    },
    closed: new AbortController().signal,
    stopped: () => (waited > HOUR ? 'stopped' : undefined),
  })
  expect(breaker.later(new SottoError('service/rate-limited', { retryAfterSeconds: 10 }))).toBe('later')
  expect(await breaker.turn()).toBe(true)
  expect(waited).toBeGreaterThanOrEqual(10_000)
  expect(waited).toBeLessThanOrEqual(12_000)
})

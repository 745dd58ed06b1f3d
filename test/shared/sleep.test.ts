import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LONGEST_TIMER_MS, sleep } from '../../src/shared/sleep.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a sleep that is longer than a timer can be', () => {
  test('ends after the whole time', async () => {
    const ended = vi.fn()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    void sleep(60 * DAY).then(ended)
    await vi.advanceTimersByTimeAsync(60 * DAY - HOUR)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(ended).toHaveBeenCalledOnce()
    expect(Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0))).toBe(LONGEST_TIMER_MS)
  })

  test('ends at once when it is canceled, also after its first timer', async () => {
    const stop = new AbortController()
    const slept = sleep(60 * DAY, stop.signal).catch((thrown: unknown) => thrown)
    await vi.advanceTimersByTimeAsync(30 * DAY)
    stop.abort()
    expect(await slept).toMatchObject({ code: 'request/canceled' })
    expect(vi.getTimerCount()).toBe(0)
  })
})

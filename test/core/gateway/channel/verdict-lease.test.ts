import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VerdictLease } from '../../../../src/core/gateway/channel/verdict-lease.ts'
import type { Verdict } from '../../../../src/shared/verdict.ts'

const HOUR = 3_600_000

function lease() {
  const clock = { wall: 1_000_000_000, process: 5_000 }
  const verdict: Verdict = {
    good: true,
    steps: [],
    trust: 'sandbox',
    enclaveHost: 'e',
    verifiedAt: clock.wall,
    validUntil: clock.wall + HOUR,
    evidenceDigest: '',
  }
  const verdictLease = new VerdictLease(verdict, { now: () => clock.wall, monotonic: () => clock.process })
  /** Time in which the machine is awake: timers come as they are due. */
  const pass = (ms: number): void => {
    for (let left = ms; left > 0;) {
      const step = Math.min(left, 1000)
      clock.wall += step
      clock.process += step
      vi.advanceTimersByTime(step)
      left -= step
    }
  }
  return { clock, held: verdictLease, pass }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('VerdictLease', () => {
  it('runs out at the end of the verdict', () => {
    const { held, pass } = lease()
    pass(HOUR - 1)
    expect(held.remaining()).toBe(1)
    pass(1)
    expect(held.remaining()).toBe(0)
  })

  it('ends when the machine slept: the wall clock ran on without the process', () => {
    const { clock, held, pass } = lease()
    clock.wall += 61_000
    expect(held.remaining()).toBe(0)
    pass(1)
    expect(held.remaining()).toBe(0)
  })

  it('ends when the machine slept and the process’s own clock ran on, as on macOS and Windows', () => {
    const { clock, held, pass } = lease()
    pass(10 * 60_000)
    clock.wall += 61_000
    clock.process += 61_000
    expect(held.remaining()).toBe(0)
    pass(15_000)
    expect(held.remaining()).toBe(0)
  })

  it('asks for no timer once it has ended', () => {
    const { held, pass } = lease()
    pass(HOUR)
    expect(vi.getTimerCount()).toBe(0)
    const other = lease().held
    other.end()
    expect(vi.getTimerCount()).toBe(0)
    expect([held.remaining(), other.remaining()]).toEqual([0, 0])
  })

  it('ends when the clock steps back more than five minutes, and does not come back', () => {
    const { clock, held } = lease()
    clock.wall -= 5 * 60_000 + 1
    expect(held.remaining()).toBe(0)
    clock.wall += 6 * 60_000
    expect(held.remaining()).toBe(0)
  })

  it('bears a small correction of the clock', () => {
    const { clock, held } = lease()
    clock.wall -= 4 * 60_000
    expect(held.remaining()).toBe(HOUR)
    clock.wall += 4 * 60_000 + 30_000
    expect(held.remaining()).toBe(HOUR - 30_000)
  })
})

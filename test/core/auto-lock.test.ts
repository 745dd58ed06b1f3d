import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AutoLock, type AutoLockOptions } from '../../src/core/auto-lock.ts'
import type { LockReason } from '../../src/shared/lock.ts'

const MINUTE = 60_000
const BEAT = 15_000

afterEach(() => void vi.useRealTimers())

interface TestLock {
  readonly lock: AutoLock
  readonly locked: LockReason[]
  readonly saved: Map<string, string>
  readonly count: { begun: number; inFlight: number }
  readonly clock: { wall: number; monotonic: number }
  /** Time passes on both clocks, with the beats that belong to it. */
  readonly pass: (ms: number) => void
}

function make(
  settings: { afterMinutes: number | null; onSleep?: boolean },
  more: Partial<AutoLockOptions> = {},
  saved = new Map<string, string>(),
): TestLock {
  const clock = { wall: 1_700_000_000_000, monotonic: 5_000 }
  const count = { begun: 0, inFlight: 0 }
  const locked: LockReason[] = []
  const lock = new AutoLock({
    settings: { get: (name) => saved.get(name) ?? null, set: (name, value) => void saved.set(name, value) },
    now: () => clock.wall,
    monotonic: () => clock.monotonic,
    requests: () => count,
    lock: (reason) => void locked.push(reason),
    ...more,
  })
  lock.change({ onSleep: false, ...settings })
  return {
    lock,
    locked,
    saved,
    count,
    clock,
    pass: (ms) => {
      for (let left = ms; left > 0; left -= BEAT) {
        clock.wall += Math.min(left, BEAT)
        clock.monotonic += Math.min(left, BEAT)
        lock.beat()
      }
    },
  }
}

describe('auto-lock after minutes without use', () => {
  test('is off by default and saves its settings', () => {
    const { lock, locked, saved, pass } = make({ afterMinutes: null })
    expect(lock.settings).toEqual({ afterMinutes: null, onSleep: false })
    pass(48 * 60 * MINUTE)
    expect(locked).toEqual([])
    lock.change({ afterMinutes: 15, onSleep: true })
    expect(
      new AutoLock({
        settings: { get: (name) => saved.get(name) ?? null, set: () => undefined },
        now: () => 0,
        monotonic: () => 0,
        requests: () => ({ begun: 0, inFlight: 0 }),
        lock: null,
      }).settings,
    ).toEqual({ afterMinutes: 15, onSleep: true })
  })

  test('locks once, exactly at the limit, and reports the reason', () => {
    const { locked, pass } = make({ afterMinutes: 5 })
    pass(5 * MINUTE - BEAT)
    expect(locked).toEqual([])
    pass(BEAT)
    expect(locked).toEqual([{ by: 'idle', minutes: 5 }])
    pass(60 * MINUTE)
    expect(locked).toHaveLength(1)
  })

  test('a person’s use restarts the time', () => {
    const { lock, locked, pass } = make({ afterMinutes: 5 })
    pass(4 * MINUTE)
    lock.use()
    pass(4 * MINUTE)
    expect(locked).toEqual([])
    pass(MINUTE)
    expect(locked).toHaveLength(1)
  })

  test('a request postpones the lock, whether it runs for hours or ends between two beats', () => {
    const { locked, pass, count } = make({ afterMinutes: 5 })
    count.begun = 1
    count.inFlight = 1
    pass(180 * MINUTE)
    expect(locked).toEqual([])
    count.inFlight = 0
    pass(4 * MINUTE)
    count.begun = 2
    pass(4 * MINUTE)
    expect(locked).toEqual([])
    pass(MINUTE + BEAT)
    expect(locked).toEqual([{ by: 'idle', minutes: 5 }])
  })

  test('uses the clock that advanced further, so setting the clock back doesn’t postpone the lock', () => {
    const { lock, locked, clock } = make({ afterMinutes: 5 })
    clock.wall -= 24 * 60 * MINUTE
    clock.monotonic += 5 * MINUTE
    lock.beat()
    expect(locked).toEqual([{ by: 'idle', minutes: 5 }])
  })

  test('counts sleep as time without use', () => {
    const { lock, locked, clock } = make({ afterMinutes: 30 })
    clock.wall += 8 * 60 * MINUTE
    lock.beat()
    expect(locked).toEqual([{ by: 'idle', minutes: 30 }])
  })

  test('locks at most one beat after the limit, for any sequence of events', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(
          fc.oneof(
            fc.record({ pass: fc.integer({ min: 1, max: 20 * MINUTE }) }),
            fc.constant('use' as const),
            fc.constant('request' as const),
          ),
          { maxLength: 30 },
        ),
        (afterMinutes, events) => {
          const testLock = make({ afterMinutes })
          let idle = 0
          for (const event of events) {
            if (testLock.locked.length > 0) break
            if (event === 'use') {
              testLock.lock.use()
              idle = 0
            } else if (event === 'request') {
              testLock.count.begun++
              testLock.pass(1)
              idle = 0
            } else {
              testLock.pass(event.pass)
              idle += event.pass
              expect(testLock.locked.length > 0).toBe(idle >= afterMinutes * MINUTE)
            }
          }
        },
      ),
    )
  })
})

describe('auto-lock on sleep', () => {
  test('locks when the system announces sleep, if that setting is on', () => {
    const off = make({ afterMinutes: null })
    expect([off.lock.sleep(), off.locked]).toEqual([false, []])
    const on = make({ afterMinutes: null, onSleep: true })
    expect([on.lock.sleep(), on.lock.sleep(), on.locked]).toEqual([true, false, [{ by: 'sleep' }]])
  })

  test('locks on waking if a beat was missed because sleep was not announced', () => {
    const { lock, locked, clock, pass } = make({ afterMinutes: null, onSleep: true })
    pass(10 * MINUTE)
    expect(locked).toEqual([])
    clock.wall += MINUTE + 1
    lock.beat()
    expect(locked).toEqual([{ by: 'sleep' }])
  })
})

test('keeps the old settings if the new ones can’t be saved', () => {
  const { lock } = make({ afterMinutes: 5 })
  const full = new AutoLock({
    settings: {
      get: () => null,
      set: () => {
        throw new Error('full')
      },
    },
    now: () => 0,
    monotonic: () => 0,
    requests: () => ({ begun: 0, inFlight: 0 }),
    lock: null,
  })
  expect(() => full.change({ afterMinutes: 5, onSleep: true })).toThrow('full')
  expect(full.settings).toEqual({ afterMinutes: null, onSleep: false })
  lock[Symbol.dispose]()
})

test('treats settings that it can’t parse as the defaults', () => {
  for (const text of [
    '',
    '{',
    '{"afterMinutes":"5","onSleep":false}',
    '{"afterMinutes":5,"onSleep":false,"onLid":true}',
    '{"afterMinutes":0,"onSleep":false}',
  ]) {
    const lock = new AutoLock({
      settings: { get: () => text, set: () => undefined },
      now: () => 0,
      monotonic: () => 0,
      requests: () => ({ begun: 0, inFlight: 0 }),
      lock: null,
    })
    expect(lock.settings).toEqual({ afterMinutes: null, onSleep: false })
  }
})

test('checks every 15 seconds until it is disposed', () => {
  vi.useFakeTimers()
  const locked: LockReason[] = []
  const options: AutoLockOptions = {
    settings: { get: () => '{"afterMinutes":1,"onSleep":false}', set: () => undefined },
    now: Date.now,
    monotonic: () => 0,
    requests: () => ({ begun: 0, inFlight: 0 }),
    lock: (reason) => void locked.push(reason),
  }
  const ended = new AutoLock(options)
  ended[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(0)
  using _ = new AutoLock(options)
  vi.advanceTimersByTime(MINUTE - 1)
  expect(locked).toEqual([])
  vi.advanceTimersByTime(1)
  expect(locked).toEqual([{ by: 'idle', minutes: 1 }])
  expect(vi.getTimerCount()).toBe(0)
})

test('doesn’t lock the Sotto that a command runs', () => {
  const { lock, locked, pass } = make({ afterMinutes: 1, onSleep: true }, { lock: null })
  pass(10 * MINUTE)
  expect([lock.sleep(), locked]).toEqual([false, []])
})

import { describe, expect, test } from 'vitest'
import { dateOf } from '../../../src/core/payments/budget-period.ts'
import { limitMarksIn, type LimitClock } from '../../../src/core/payments/index.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { limitClockOf, MemoryMarks } from './scripted-clock.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A computer whose clocks a test sets: `passes` moves both, and setting `wall` only one. */
class Computer {
  wall = NOON
  monotonic = 0
  zone = 'UTC'
  readonly marks = new MemoryMarks()
  clock: LimitClock

  constructor() {
    this.clock = this.#open()
  }
  restart(): void {
    this.monotonic = 0
    this.clock = this.#open()
  }
  passes(ms: number): void {
    this.wall += ms
    this.monotonic += ms
  }
  #open(): LimitClock {
    return limitClockOf(() => this.wall, {
      monotonic: () => this.monotonic,
      zone: () => this.zone,
      marks: this.marks,
    })
  }
  get at(): number {
    return this.clock.read().at
  }
  get date(): string {
    return dateOf(this.clock.read().day)
  }
}

describe('the clock of limits', () => {
  test('follows the wall clock, stops while that is behind, and goes on once it has caught up', () => {
    const computer = new Computer()
    computer.passes(HOUR_MS)
    expect(computer.at).toBe(NOON + HOUR_MS)
    computer.wall -= 3 * HOUR_MS
    expect(computer.at).toBe(NOON + HOUR_MS)
    computer.passes(2 * HOUR_MS)
    expect(computer.at).toBe(NOON + HOUR_MS)
    computer.passes(2 * HOUR_MS)
    expect(computer.at).toBe(NOON + 2 * HOUR_MS)
  })

  test('has the same time after a restart with a clock that was set back', () => {
    const computer = new Computer()
    computer.passes(DAY_MS)
    const before = computer.at
    for (const wall of [NOON, Date.UTC(2000, 0), 0]) {
      computer.wall = wall
      computer.restart()
      expect([computer.at, computer.date]).toEqual([before, '2026-11-19'])
    }
  })

  test('is right again after 24 measured hours behind a wrong date in the far future, across restarts', () => {
    const computer = new Computer()
    computer.clock.read()
    computer.wall = Date.UTC(2099, 0)
    expect(computer.date).toBe('2099-01-01')
    computer.wall = NOON
    for (let session = 0; session < 4; session += 1) {
      computer.restart()
      expect(computer.date).toBe('2099-01-01')
      computer.passes(5 * HOUR_MS)
      expect(computer.date).toBe('2099-01-01')
    }
    computer.restart()
    expect(computer.date).toBe('2099-01-01')
    computer.passes(4 * HOUR_MS)
    expect([computer.date, computer.at]).toEqual(['2026-11-19', NOON + DAY_MS])
    expect(computer.clock.read()).toMatchObject({
      resetAt: NOON + DAY_MS,
      resetDay: computer.clock.read().day,
    })
  })

  test('is not set back by a wall clock that is wrong at each start and right a moment later', () => {
    const computer = new Computer()
    computer.clock.read()
    for (let boot = 0; boot < 40; boot += 1) {
      const right = NOON + boot * DAY_MS
      computer.wall = Date.UTC(2000, 0)
      computer.restart()
      const frozenAt = computer.at
      computer.passes(2 * HOUR_MS)
      expect(computer.at).toBe(frozenAt)
      computer.wall = right
      expect(computer.at).toBe(right)
      computer.passes(20 * HOUR_MS)
    }
  })

  test('counts time as behind only between two readings that were', () => {
    const computer = new Computer()
    computer.clock.read()
    computer.passes(100 * HOUR_MS)
    computer.wall = NOON - DAY_MS
    expect(computer.at).toBe(NOON)
    computer.passes(23 * HOUR_MS)
    expect(computer.at).toBe(NOON)
  })

  test('begins a day at local midnight, after 23 hours and after 25', () => {
    const computer = new Computer()
    computer.zone = 'America/New_York'
    computer.wall = Date.parse('2026-03-08T05:00:00Z')
    computer.restart()
    const dates: string[] = []
    for (let hour = 0; hour < 24; hour += 1, computer.passes(HOUR_MS)) dates.push(computer.date)
    expect(dates).toEqual([...Array<string>(23).fill('2026-03-08'), '2026-03-09'])
    computer.wall = Date.parse('2026-11-01T04:00:00Z')
    const autumn: string[] = []
    for (let hour = 0; hour < 26; hour += 1, computer.passes(HOUR_MS)) autumn.push(computer.date)
    expect(autumn).toEqual([...Array<string>(25).fill('2026-11-01'), '2026-11-02'])
  })

  test('goes on with the day that has begun when the zone changes to an earlier date', () => {
    const computer = new Computer()
    const travel = (zone: string): void => {
      computer.zone = zone
      computer.passes(MINUTE_MS)
    }
    computer.wall = Date.parse('2026-11-27T22:00:00Z')
    travel('Asia/Tokyo')
    expect(computer.date).toBe('2026-11-28')
    travel('America/Los_Angeles')
    expect(new Date(computer.wall).toLocaleDateString('sv-SE', { timeZone: computer.zone })).toBe(
      '2026-11-27',
    )
    expect(computer.date).toBe('2026-11-28')
    computer.restart()
    expect(computer.date).toBe('2026-11-28')
    // Back and forth begins nothing again.
    for (const zone of ['Asia/Tokyo', 'Pacific/Pago_Pago', 'Asia/Tokyo']) {
      travel(zone)
      expect(computer.date).toBe('2026-11-28')
    }
    travel('America/Los_Angeles')
    computer.wall = computer.clock.startOf(computer.clock.read().day + 1) - 1
    expect(computer.date).toBe('2026-11-28')
    expect(computer.wall).toBe(Date.parse('2026-11-29T08:00:00Z') - 1)
    computer.passes(1)
    expect(computer.date).toBe('2026-11-29')
  })

  test('is written at most each minute, and when the day changes', () => {
    const computer = new Computer()
    for (let second = 0; second < 600; second += 1, computer.passes(1_000)) computer.clock.read()
    expect(computer.marks.writes).toBe(10)
    computer.wall = computer.clock.startOf(computer.clock.read().day + 1)
    const before = computer.marks.writes
    computer.clock.read()
    computer.clock.saveDay()
    expect(computer.marks.writes).toBe(before + 1)
    computer.passes(1)
    expect(computer.clock.saveTime().at).toBe(computer.marks.stored?.at)
    expect(computer.marks.stored?.at).toBe(computer.wall)
  })

  test('is read while the disk refuses, and lets nothing be charged to what isn’t written', () => {
    const computer = new Computer()
    computer.marks.refuses = true
    expect(computer.at).toBe(NOON)
    expect(() => computer.clock.saveDay()).toThrow('the disk refuses')
    expect(() => computer.clock.saveTime()).toThrow('the disk refuses')
    computer.marks.refuses = false
    computer.clock.saveDay()
    expect(computer.marks.stored?.at).toBe(NOON)
  })
})

describe('a mark in the settings', () => {
  const settings = (text: string | null) => ({ get: () => text, set: () => undefined })

  test.each([
    [null],
    ['no JSON'],
    ['{}'],
    ['{"at":"1"}'],
    ['{"at":1,"day":0.5,"resetAt":0,"resetDay":0,"behindMs":0}'],
  ])('is none if it is %s', (text) => {
    expect(limitMarksIn(settings(text)).read()).toBeNull()
  })

  test('is none if it can’t be opened, and every other failure is one', () => {
    const failing = (error: Error) =>
      limitMarksIn({
        get: () => {
          throw error
        },
        set: () => undefined,
      })
    expect(failing(new SottoError('store/damaged')).read()).toBeNull()
    expect(() => failing(new SottoError('store/unwritable')).read()).toThrow(
      expect.objectContaining({ code: 'store/unwritable' }),
    )
  })
})

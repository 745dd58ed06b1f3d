import fc from 'fast-check'
import type { LimitClock } from '../../../src/core/payments/index.ts'
import { limitClockOf, MemoryMarks } from './scripted-clock.ts'

const START = Date.UTC(2026, 9, 24, 12)
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Santiago',
] as const

/** Events that can happen to a computer and its clocks. */
export const computerSteps = [
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.integer({ min: 0, max: 30 * HOUR_MS }),
    }),
  },
  // A few hours, if a second system on the same computer sets the clock, and decades, if the battery is dead.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      ms: fc.integer({ min: -50 * HOUR_MS, max: 50 * HOUR_MS }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('date' as const),
      at: fc.constantFrom(Date.UTC(2000, 0), START, Date.UTC(2026, 10, 1), Date.UTC(2099, 0)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('travel' as const), zone: fc.constantFrom(...zones) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
] as const
type ComputerStep =
  (typeof computerSteps)[number]['arbitrary'] extends fc.Arbitrary<infer Step> ? Step : never

/** A computer that Sotto runs on. */
export class Computer {
  wall = START
  monotonic = 0
  zone: string = 'Europe/Berlin'
  readonly marks = new MemoryMarks()
  clock: LimitClock = this.open()

  open(): LimitClock {
    return limitClockOf(() => this.wall, {
      monotonic: () => this.monotonic,
      zone: () => this.zone,
      marks: this.marks,
    })
  }
  apply(each: ComputerStep): void {
    if (each.kind === 'pass') {
      this.wall += each.ms
      this.monotonic += each.ms
    } else if (each.kind === 'set') this.wall += each.ms
    else if (each.kind === 'date') this.wall = each.at
    else if (each.kind === 'travel') {
      this.zone = each.zone
      this.monotonic += 60_000
    } else {
      this.monotonic = 0
      this.clock = this.open()
    }
  }
}

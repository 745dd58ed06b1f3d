import { createLimitClock, type LimitClock } from '../../../src/core/payments/index.ts'
import type { LimitMark, LimitMarks } from '../../../src/core/payments/limit-clock.ts'

/** Marks that outlive the clock: what the store keeps. */
export class MemoryMarks implements LimitMarks {
  stored: LimitMark | null = null
  writes = 0
  refuses = false

  read(): LimitMark | null {
    return this.stored
  }
  write(mark: LimitMark): void {
    if (this.refuses) throw new Error('the disk refuses')
    this.stored = mark
    this.writes += 1
  }
}

/** The clock of limits over a wall clock that a test sets. The monotonic clock follows it, unless the test has another one. */
export function limitClockOf(
  now: () => number,
  options: { monotonic?: () => number; zone?: () => string; marks?: LimitMarks } = {},
): LimitClock {
  return createLimitClock({ now, monotonic: now, zone: () => 'UTC', marks: new MemoryMarks(), ...options })
}

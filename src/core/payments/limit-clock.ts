import { localDayOf, startOfLocalDay, systemZone } from './local-day.ts'

const MINUTE_MS = 60_000
/** After this much measured time behind the mark, the wall clock is considered right and the mark wrong. */
const MOST_BEHIND_MS = 24 * 60 * MINUTE_MS

/** A time for limits. */
export interface LimitTime {
  /** Unix ms. It never decreases, except when the clock is set back. */
  readonly at: number
  /** The person's calendar day, as local-day.ts numbers it. It never decreases either. */
  readonly day: number
  /** When the clock was last set back, or first used (Unix ms). A record with a later time than now was written before it. */
  readonly resetAt: number
  /** The day of `resetAt`. */
  readonly resetDay: number
}

/** The high-water mark that the store saves. */
export interface LimitMark extends LimitTime {
  /** How long the wall clock has been measured behind the mark, in ms, across restarts. */
  readonly behindMs: number
}

/** Saves the mark across restarts. The store's settings implement it. */
export interface LimitMarks {
  /** Returns null if there is no readable mark. */
  read(): LimitMark | null
  /** @throws {SottoError} store/unwritable */
  write(mark: LimitMark): void
}

/** The time for budgets and limits. */
export interface LimitClock {
  read(): LimitTime
  /** The first moment (Unix ms) of a calendar day in the person's zone. */
  startOf(day: number): number
  /**
   * Returns when the store has today's day. Call it before something is charged to the day.
   * @throws {SottoError} store/unwritable
   */
  saveDay(): void
  /**
   * Reads the time, and returns it when the store has it. Call it before that time is written elsewhere.
   * @throws {SottoError} store/unwritable
   */
  saveTime(): LimitTime
}

export interface LimitClockOptions {
  /** The wall clock, Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
  readonly marks: LimitMarks
  /** IANA name of the person's zone, read each minute; undefined if it has none. By default the system's. */
  readonly zone?: () => string | undefined
}

/**
 * Creates the clock for limits: the wall clock, or the highest time that it ever showed. While the wall clock
 * is behind, this one stops, so the current period continues and no period begins twice. After 24 measured
 * hours behind, the mark is set back to the wall clock, because a wrong date in the far future must not block
 * a budget forever.
 * @see docs/decisions/0029-the-clock-of-limits.md
 */
export function createLimitClock(options: LimitClockOptions): LimitClock {
  return new MarkedClock(options)
}

class MarkedClock implements LimitClock {
  readonly #options: LimitClockOptions
  #mark: LimitMark
  #saved: LimitMark | null
  /**
   * The last reading: the monotonic clock, and whether the wall clock was behind. Time counts as behind only
   * between two such readings.
   */
  #last: { readonly monotonic: number; readonly behind: boolean }
  #tried = { day: -Infinity, monotonic: -Infinity }
  #zone: { readonly name: string | undefined; readonly monotonic: number }
  /** The local day of the last reading, for every moment from `from` to before `until`. */
  #known = { day: 0, from: 0, until: 0 }

  constructor(options: LimitClockOptions) {
    const { now, monotonic, marks, zone = systemZone } = options
    this.#options = options
    this.#last = { monotonic: monotonic(), behind: false }
    this.#zone = { name: zone(), monotonic: this.#last.monotonic }
    this.#saved = marks.read()
    this.#mark = this.#saved ?? this.#markAt(now())
  }

  read(): LimitTime {
    const monotonic = this.#options.monotonic()
    this.#advance(this.#options.now(), monotonic)
    this.#saveSometimes(monotonic)
    return this.#mark
  }

  startOf(day: number): number {
    return startOfLocalDay(day, this.#zone.name)
  }

  saveDay(): void {
    const { day } = this.read()
    if (this.#saved?.day !== day) this.#save()
  }

  saveTime(): LimitTime {
    const time = this.read()
    if (this.#saved?.at !== time.at) this.#save()
    return time
  }

  #advance(wall: number, monotonic: number): void {
    const behind = wall < this.#mark.at
    const behindMs = behind
      ? this.#mark.behindMs + (this.#last.behind ? Math.max(0, monotonic - this.#last.monotonic) : 0)
      : 0
    this.#last = { monotonic, behind }
    this.#readZone(monotonic)
    if (behindMs >= MOST_BEHIND_MS) {
      this.#mark = this.#markAt(wall)
      return
    }
    const at = behind ? this.#mark.at : wall
    // A zone to the west can have an earlier date. The current day then continues.
    this.#mark = { ...this.#mark, at, day: Math.max(this.#mark.day, this.#dayOf(at)), behindMs }
  }

  /**
   * Returns the mark of a clock that begins now. If there was none, records with a later time were written by
   * a clock that was ahead.
   */
  #markAt(wall: number): LimitMark {
    const day = this.#dayOf(wall)
    return { at: wall, day, resetAt: wall, resetDay: day, behindMs: 0 }
  }

  /** Caches the day, because every request needs it and it rarely changes. */
  #dayOf(at: number): number {
    if (at < this.#known.from || at >= this.#known.until) {
      const day = localDayOf(at, this.#zone.name)
      this.#known = { day, from: at, until: startOfLocalDay(day + 1, this.#zone.name) }
    }
    return this.#known.day
  }

  #readZone(monotonic: number): void {
    if (monotonic - this.#zone.monotonic < MINUTE_MS) return
    const { zone = systemZone } = this.#options
    const name = zone()
    if (name !== this.#zone.name) this.#known = { day: 0, from: 0, until: 0 }
    this.#zone = { name, monotonic }
  }

  #saveSometimes(monotonic: number): void {
    const { day } = this.#mark
    if (this.#tried.day === day && monotonic - this.#tried.monotonic < MINUTE_MS) return
    this.#tried = { day, monotonic }
    try {
      this.#save()
    } catch {
      // A full disk must not hide spent amounts. A charge requires the mark on disk: saveDay and saveTime throw.
    }
  }

  #save(): void {
    this.#options.marks.write(this.#mark)
    this.#saved = this.#mark
  }
}

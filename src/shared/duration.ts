/** A length of time in whole units, rounded down. */
export interface DurationParts {
  readonly days: number
  /** 0 to 23. */
  readonly hours: number
  /** 0 to 59. */
  readonly minutes: number
  /** 0 to 59. */
  readonly seconds: number
}

/** Splits a duration in ms into units. A negative one counts as zero. */
export function splitDuration(ms: number): DurationParts {
  const total = Math.max(0, Math.floor(ms / 1000))
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  }
}

/** Formats a duration in ms in its two largest units, in English: "52 min 10 s". */
export function formatDuration(ms: number): string {
  const { days, hours, minutes, seconds } = splitDuration(ms)
  if (days > 0) return hours > 0 ? `${String(days)} d ${String(hours)} h` : `${String(days)} d`
  if (hours > 0) return minutes > 0 ? `${String(hours)} h ${String(minutes)} min` : `${String(hours)} h`
  if (minutes > 0) return `${String(minutes)} min ${String(seconds)} s`
  return `${String(seconds)} s`
}

/**
 * Whether something that is done at most once in a time is due again. If the clock was set back, the time since
 * then is unknown, so it's due.
 * @param now Unix ms. @param last Unix ms of the last time
 */
export function isDue(now: number, last: number, everyMs: number): boolean {
  return last > now || now - last >= everyMs
}

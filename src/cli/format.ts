/** Formats Unix ms to the minute, in UTC: "2026-11-25 20:57 UTC". Output for scripts sorts by it. */
export function formatMinute(unixMs: number): string {
  return `${iso(unixMs).slice(0, 16)} UTC`
}

/** Formats Unix ms to the second, in UTC: "2026-11-25 20:57:03 UTC". */
export function formatSecond(unixMs: number): string {
  return `${iso(unixMs).slice(0, 19)} UTC`
}

/** Formats Unix ms as a date, in UTC: "2026-11-25". */
export function formatDate(unixMs: number): string {
  return iso(unixMs).slice(0, 10)
}

function iso(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('T', ' ')
}

/**
 * Formats a count with its noun: "1 request", "1,200 requests". The command line is English only.
 * @param one the noun for 1
 * @param other the noun for every other count
 */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : other}`
}

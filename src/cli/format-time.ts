/** Formats Unix ms to the minute, in UTC: "2026-11-25 20:57 UTC". Output for scripts sorts by it. */
export function formatMinute(at: number): string {
  return `${iso(at).slice(0, 16)} UTC`
}

/** Formats Unix ms to the second, in UTC: "2026-11-25 20:57:03 UTC". */
export function formatSecond(at: number): string {
  return `${iso(at).slice(0, 19)} UTC`
}

/** Formats Unix ms as a date, in UTC: "2026-11-25". */
export function formatDate(at: number): string {
  return iso(at).slice(0, 10)
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('T', ' ')
}

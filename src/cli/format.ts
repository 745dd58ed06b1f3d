import { localizedTextSchema } from '../shared/localized-text-schema.ts'
import { renderEnglish } from '../shared/localized-text.ts'

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

/** Formats a count with its noun. The command line is English only. */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : other}`
}

/** A value as one line for a program. What the core says stands in it as English text. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value, (name, held: unknown) => {
    const said = name === 'detail' ? localizedTextSchema.safeParse(held) : undefined
    return said?.success ? renderEnglish(said.data) : held
  })
}

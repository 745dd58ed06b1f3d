import type { Transcript } from '../../../../shared/job.ts'

/** The words between two moments, in seconds, with the user's edits. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * One line per segment. The user's edited text replaces the segments' text if it has the same number of
 * lines. Undefined if the transcript has no times.
 */
export function linesOf({ segments, edited }: Transcript): readonly Line[] | undefined {
  if (!segments || segments.length === 0) return undefined
  const editedLines = edited?.split('\n')
  const texts = editedLines?.length === segments.length ? editedLines : undefined
  return segments.map(({ start, end, text }, at) => ({ start, end, text: texts?.[at] ?? oneLine(text) }))
}

/** The stored form: one line of text for each. */
export function storedText(lines: readonly Line[]): string {
  return lines.map(({ text }) => oneLine(text)).join('\n')
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/**
 * The index of the line that is spoken at this moment or was spoken last; -1 before the first. Lines must be
 * sorted by their start.
 */
export function lineAt(lines: readonly Line[], seconds: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? Infinity) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A moment of a recording, as players show it: `1:02`, `1:00:02`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number): string => String(value).padStart(2, '0')
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return h > 0 ? `${String(h)}:${two(m)}:${two(s)}` : `${String(m)}:${two(s)}`
}

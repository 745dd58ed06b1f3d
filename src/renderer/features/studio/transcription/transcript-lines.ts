import type { Transcript } from '../../../../shared/job.ts'

/** What is said from one moment to another, in seconds, as its owner has it now. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One line for each segment; a text that its owner made of it is laid over them where it has as many lines. Undefined where there are no times. */
export function linesOf({ segments, edited }: Transcript): readonly Line[] | undefined {
  if (!segments || segments.length === 0) return undefined
  const own = edited?.split('\n')
  const texts = own?.length === segments.length ? own : undefined
  return segments.map(({ start, end, text }, at) => ({ start, end, text: texts?.[at] ?? oneLine(text) }))
}

/** As it is kept: a line of text for each. */
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

/** The line that is said at this moment, or was said last; -1 before the first. Lines stand in the order of their beginnings. */
export function lineAt(lines: readonly Line[], seconds: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? Infinity) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

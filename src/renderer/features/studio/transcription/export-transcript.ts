import type { Line } from './transcript-lines.ts'

export const exportFormats = ['txt', 'srt', 'vtt', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  txt: 'text/plain;charset=utf-8',
  srt: 'application/x-subrip;charset=utf-8',
  vtt: 'text/vtt;charset=utf-8',
  json: 'application/json',
}

export interface Exported {
  readonly text: string
  /** Absent if the transcript has no times, which SRT and VTT need. */
  readonly lines?: readonly Line[] | undefined
  readonly language?: string | undefined
  readonly seconds?: number | undefined
}

/** Formats a transcript as a file. SRT and VTT are empty if the transcript has no times. */
export function exportTranscript(
  format: ExportFormat,
  { text, lines = [], language, seconds }: Exported,
): string {
  switch (format) {
    case 'txt':
      return `${text.trimEnd()}\n`
    case 'srt':
      return lines
        .map(
          ({ start, end, text: lineText }, at) =>
            `${String(at + 1)}\n${clock(start, ',')} --> ${clock(end, ',')}\n${cueText(lineText)}\n`,
        )
        .join('\n')
    case 'vtt':
      return `WEBVTT\n\n${lines.map(({ start, end, text: lineText }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${escaped(cueText(lineText))}\n`).join('\n')}`
    case 'json':
      return `${JSON.stringify({ text, ...(language !== undefined && { language }), ...(seconds !== undefined && { duration: seconds }), ...(lines.length > 0 && { segments: lines.map((line, id) => ({ id, ...line })) }) }, null, 2)}\n`
  }
}

/** An empty line would end the cue, and an arrow would be parsed as the times of another cue. */
function cueText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('-->', '→')
}

/** WebVTT, section 4.2: escapes characters that would start a tag or an entity. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** `HH:MM:SS,mmm` */
function clock(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(Math.max(0, seconds) * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}

import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { transcriptFormats } from '../../shared/job-ask.ts'
import { msg } from '../../shared/localized-text.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/** The service's `response_format`. */
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** The transcript of one piece, and the start of the piece. */
export interface HeardPiece {
  readonly answer: Uint8Array
  readonly startSeconds: number
}

const seconds = z.coerce.number().min(0).max(1_000_000)
/** More segments than anyone reads. */
export const MAX_SEGMENTS = 100_000
const segmentSchema = z.object({ start: seconds, end: seconds, text: z.string() })
/** The text counts even if another member can't be read. */
const wordsSchema = z
  .looseObject({ text: z.string() })
  .transform(({ text, language, duration, segments }): Transcript => {
    const read = {
      language: z.string().max(40).safeParse(language).data,
      duration: duration === null ? undefined : seconds.safeParse(duration).data,
      segments: z.array(segmentSchema).max(MAX_SEGMENTS).safeParse(segments).data,
    }
    return {
      text,
      ...(read.language !== undefined && { language: read.language }),
      ...(read.duration !== undefined && { duration: read.duration }),
      ...(read.segments && { segments: read.segments }),
    }
  })
/** A transcript in JSON: `json` has only the text. Times are in seconds. */
export interface Transcript {
  readonly text: string
  readonly language?: string
  readonly duration?: number
  readonly segments?: z.infer<typeof segmentSchema>[]
}

/**
 * Joins the transcripts of pieces, with times relative to the whole recording. Throws
 * service/response-invalid.
 */
export function joinTranscripts(format: TranscriptFormat, pieces: readonly HeardPiece[]): string {
  switch (format) {
    case 'text':
      return `${pieces
        .map(({ answer }) => plainText(answer).trim())
        .filter((text) => text !== '')
        .join('\n')}\n`
    case 'json':
    case 'verbose_json':
      return JSON.stringify(
        joinedWords(
          pieces.map(({ answer, startSeconds }) => shifted(wordsOf(answer), startSeconds)),
          format,
        ),
      )
    case 'srt':
    case 'vtt': {
      const cues = pieces.flatMap(({ answer, startSeconds }) => segmentsIn(textOf(answer), startSeconds))
      const point = format === 'srt' ? ',' : '.'
      const written = cues
        .map(
          ({ start, end, text }, at) =>
            `${format === 'srt' ? `${at + 1}\n` : ''}${clock(start, point)} --> ${clock(end, point)}\n${text}\n`,
        )
        .join('\n')
      return format === 'srt' ? written : `WEBVTT\n\n${written}`
    }
  }
}

/** Throws service/response-invalid. */
export function wordsOf(answer: Uint8Array): Transcript {
  const parsed = wordsSchema.safeParse(tryParseJson(answer))
  if (!parsed.success)
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t a transcript.') })
  return parsed.data
}

/** The response to `text` should be plain text, but some services wrap it in JSON. */
function plainText(answer: Uint8Array): string {
  const wrapped = wordsSchema.safeParse(tryParseJson(answer))
  return wrapped.success ? wrapped.data.text : textOf(answer)
}

/** Throws service/response-invalid if the response isn't UTF-8. */
export function textOf(answer: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(answer)
  } catch (cause) {
    throw new SottoError('service/response-invalid', {
      detail: msg('The response isn’t valid UTF-8.'),
      cause,
    })
  }
}

function shifted(transcript: Transcript, by: number): Transcript {
  return {
    ...transcript,
    ...(transcript.segments && {
      segments: transcript.segments.map(({ start, end, text }) => ({
        start: rounded(start + by),
        end: rounded(end + by),
        text,
      })),
    }),
    ...(transcript.duration !== undefined && { duration: rounded(transcript.duration + by) }),
  }
}

function joinedWords(all: readonly Transcript[], format: 'json' | 'verbose_json'): object {
  const text = all
    .map((transcript) => transcript.text.trim())
    .filter((one) => one !== '')
    .join(' ')
  if (format === 'json') return { text }
  const [first] = all
  return {
    ...(first?.language !== undefined && { language: first.language }),
    duration: all.at(-1)?.duration,
    text,
    segments: all.flatMap(({ segments = [] }) => segments),
  }
}

const TIMES =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})/

/**
 * Reads the cues of SubRip and WebVTT: a line with times, and the lines below it up to an empty one. Other
 * text is ignored.
 */
export function segmentsIn(text: string, by = 0): z.infer<typeof segmentSchema>[] {
  const cues: z.infer<typeof segmentSchema>[] = []
  for (const block of text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => TIMES.test(line))
    const found: readonly (string | undefined)[] = TIMES.exec(lines[at] ?? '') ?? []
    if (found.length === 0) continue
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = found
    cues.push({
      start: rounded(time(h1, m1, s1, f1) + by),
      end: rounded(time(h2, m2, s2, f2) + by),
      text: lines
        .slice(at + 1)
        .join('\n')
        .trim(),
    })
  }
  return cues
}

function time(hours = '0', minutes = '0', whole = '0', fraction = '0'): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(fraction.padEnd(3, '0')) / 1000
}

function clock(at: number, point: ',' | '.'): string {
  const ms = Math.round(at * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

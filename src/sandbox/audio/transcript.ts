export const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

interface Segment {
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

export interface Transcript {
  readonly text: string
  readonly seconds: number
  readonly language: string
}

/** In the requested format. @returns its type and text */
export function writeTranscript(
  transcript: Transcript,
  format: TranscriptFormat,
): { readonly contentType: string; readonly body: string } {
  const json = 'application/json; charset=utf-8'
  switch (format) {
    case 'json':
      return { contentType: json, body: JSON.stringify({ text: transcript.text }) }
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${transcript.text}\n` }
    case 'srt':
      return {
        contentType: 'application/x-subrip; charset=utf-8',
        body: segments(transcript)
          .map(
            ({ text, start, end }, at) => `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`,
          )
          .join('\n'),
      }
    case 'vtt':
      return {
        contentType: 'text/vtt; charset=utf-8',
        body: `WEBVTT\n\n${segments(transcript)
          .map(({ text, start, end }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${text}\n`)
          .join('\n')}`,
      }
    case 'verbose_json':
      return {
        contentType: json,
        body: JSON.stringify({
          task: 'transcribe',
          language: transcript.language,
          duration: transcript.seconds,
          text: transcript.text,
          segments: segments(transcript).map(({ text, start, end }, id) => ({
            id,
            seek: 0,
            start,
            end,
            text,
            tokens: [],
            temperature: 0,
            avg_logprob: -0.1,
            compression_ratio: 1,
            no_speech_prob: 0.01,
          })),
        }),
      }
  }
}

/** A sentence each, which lasts as long as its share of the text. */
function segments({ text, seconds }: Transcript): Segment[] {
  const sentences = text.match(/[^.!?]+[.!?]*\s*/g) ?? [text]
  let read = 0
  return sentences
    .map((sentence) => {
      const start = read
      read += sentence.length
      return {
        text: sentence.trim(),
        start: rounded((start / text.length) * seconds),
        end: rounded((read / text.length) * seconds),
      }
    })
    .filter(({ text: spokenText }) => spokenText !== '')
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** `HH:MM:SS,mmm` */
function clock(seconds: number, point: ',' | '.'): string {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${point}${String(Math.round((seconds - whole) * 1000) % 1000).padStart(3, '0')}`
}

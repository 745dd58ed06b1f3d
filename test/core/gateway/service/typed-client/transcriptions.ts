import { z } from 'zod'
import { SottoError } from '../../../../../src/shared/errors.ts'
import type { FetchResponse } from '../../../../../src/shared/fetch.ts'
import { msg } from '../../../../../src/shared/localized-text.ts'
import { parseExactJson } from '../../../../../src/core/gateway/service/http/exact-json.ts'
import { readText } from '../../../../../src/core/gateway/service/http/body.ts'
import { multipartBody, type UploadFile } from '../../../../../src/core/gateway/service/http/multipart.ts'
import {
  checked,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { decimal, lenient } from '../../../../../src/core/gateway/service/http/wire.ts'
import { audioTarget } from '../../../../../src/core/gateway/service/inference/pass-through.ts'

/** 25 MB (specification, Limits). */
export const MAX_AUDIO_BYTES = 25_000_000
const audioFormats = ['mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'wav', 'webm'] as const
const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** For a long recording, the service works without sending anything. */
const TIMEOUT_MS = 10 * 60_000

const inputSchema = z.object({
  /** Defaults to the newer of the service's two models. */
  model: z.string().min(1).max(200).optional(),
  responseFormat: z.enum(transcriptFormats).default('json'),
  /** Such as `en`, or `multi` to detect the language. */
  language: z
    .string()
    .regex(/^[A-Za-z-]{2,10}$/)
    .optional(),
  prompt: z.string().max(10_000).optional(),
})

export type TranscriptionInput = z.input<typeof inputSchema> & {
  readonly file: UploadFile
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
}

export interface Transcript {
  readonly format: TranscriptFormat
  /** Only the transcribed text of `json`, `text` and `verbose_json`; the whole file of `srt` and `vtt`. */
  readonly text: string
  /** Only in `verbose_json`. */
  readonly language?: string | undefined
  readonly durationSeconds?: number | undefined
  readonly segments?:
    | readonly { readonly start: number; readonly end: number; readonly text: string }[]
    | undefined
}

const seconds = decimal.transform(Number)
const jsonSchema = z.object({ text: z.string() })
const verboseSchema = jsonSchema.extend({
  language: lenient(z.string().max(40)),
  duration: lenient(seconds),
  segments: lenient(z.array(z.object({ start: seconds, end: seconds, text: z.string() })).max(100_000)),
})

/** `POST /v1/audio/transcriptions` (specification, Audio). The file is streamed while it is read, and sent once. */
function transcriptionRequest(
  { file, onProgress, ...input }: TranscriptionInput,
  revision: 'A' | 'B',
): ServiceRequest<Transcript> {
  const { model, responseFormat, language, prompt } = checked(inputSchema, input)
  if (file.size > MAX_AUDIO_BYTES)
    throw new SottoError('request/invalid', { param: 'file', detail: msg('An audio file may have 25 MB.') })
  if (!audioFormats.some((format) => file.name.toLowerCase().endsWith(`.${format}`)))
    throw new SottoError('request/invalid', {
      param: 'file',
      detail: msg('Audio is one of {formats}.', { formats: audioFormats.join(', ') }),
    })
  const fields = Object.entries({ model, response_format: responseFormat, language, prompt }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
  )
  return {
    method: 'POST',
    target: audioTarget('/v1/audio/transcriptions', revision),
    auth: 'key',
    body: multipartBody({ fields, files: [{ field: 'file', upload: file }], onProgress }),
    accept:
      responseFormat === 'json' || responseFormat === 'verbose_json'
        ? 'application/json'
        : 'text/plain, text/vtt, application/x-subrip',
    timeoutMs: TIMEOUT_MS,
    read: (response) => readTranscript(response, responseFormat),
  }
}

async function readTranscript(response: FetchResponse, format: TranscriptFormat): Promise<Transcript> {
  const answer = await readText(response.body, MAX_ANSWER_BYTES)
  if (format === 'srt' || format === 'vtt') return { format, text: answer }
  // `text` should be plain text, but some services wrap it in JSON.
  const json = response.headers.get('content-type')?.startsWith('application/json') === true
  if (format === 'text' && !json) return { format, text: answer }
  const parsed = verboseSchema.safeParse(tryParseJson(answer))
  if (!parsed.success)
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t a transcript.') })
  const { text, language, duration, segments } = parsed.data
  return format === 'verbose_json'
    ? { format, text, language, durationSeconds: duration, segments }
    : { format, text }
}

function tryParseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

export async function transcribe(
  service: Service,
  input: TranscriptionInput,
  options: CallOptions = {},
): Promise<Transcript> {
  return perform(service, transcriptionRequest(input, service.access().revision ?? 'B'), options)
}

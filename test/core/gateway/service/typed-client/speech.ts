import { z } from 'zod'
import { SottoError } from '../../../../../src/shared/errors.ts'
import { msg } from '../../../../../src/shared/localized-text.ts'
import {
  checked,
  jsonBody,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { audioTarget } from '../../../../../src/core/gateway/service/inference/pass-through.ts'
import {
  readMedia,
  type MediaStream,
} from '../../../../../src/core/gateway/service/inference/media-stream.ts'

const MAX_SPEECH_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 2 * 60_000
/** By provider family (specification, Limits); which one a model is of, only the service knows for sure. */
const MAX_CHARACTERS = { A: 2000, B: 5000 } as const

const inputSchema = z.object({
  input: z.string().min(1, 'There is nothing to say'),
  /** Revision B: a voice or a model of the second family; A: a model. The service's default where absent. */
  model: z.string().min(1).max(200).optional(),
  voice: z.string().min(1).max(200).optional(),
})
export type SpeechInput = z.input<typeof inputSchema>

/** `POST /v1/audio/speech` (specification, Audio). The audio is handed on as it comes. */
function speechRequest(input: SpeechInput, revision: 'A' | 'B'): ServiceRequest<MediaStream> {
  const { input: text, model, voice } = checked(inputSchema, input)
  const most = MAX_CHARACTERS[revision]
  if (characters(text) > most)
    throw new SottoError('request/invalid', {
      param: 'input',
      detail: msg('Speech is of at most {most, plural, one {# character} other {# characters}}.', { most }),
    })
  return {
    method: 'POST',
    target: audioTarget('/v1/audio/speech', revision),
    auth: 'key',
    body: jsonBody({ input: text, model, voice }),
    accept: 'audio/*',
    timeoutMs: TIMEOUT_MS,
    read: (response) => Promise.resolve(readMedia(response, 'sound', MAX_SPEECH_BYTES)),
  }
}

/** Code points: what providers count and charge. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

export async function speak(
  service: Service,
  input: SpeechInput,
  options: CallOptions = {},
): Promise<MediaStream> {
  return perform(service, speechRequest(input, service.access().revision ?? 'B'), options)
}

import { asSottoError } from '../../../../shared/errors.ts'
import { readBytes } from '../../../../shared/limited-body.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import { EVENT_STREAM, eventText } from '../../dialect/dialect.ts'
import type { PlaintextAnswer, PlaintextForm } from '../../relay/index.ts'
import { toOpenAiError } from '../errors.ts'
import type { WrittenAnswer } from '../plaintext-answer.ts'
import {
  membersOfForm,
  oneOf,
  switchOf,
  withoutFields,
  withoutMembers,
  encoded,
  NO_TOKENS,
  objectIn,
} from './members.ts'

/**
 * Reads whether the tool requests speech as events, which the service doesn't support.
 * @throws {SottoError} proxy/invalid-request
 */
export function readSpeechBody(body: JsonObject): { readonly body: JsonObject; readonly stream: boolean } {
  return {
    body: withoutMembers(body, ['stream_format']),
    stream: oneOf('stream_format', body['stream_format'], ['audio', 'sse']) === 'sse',
  }
}

/**
 * Reads whether the tool requests a transcript as events, which the service doesn't support. Sotto then
 * requests JSON.
 * @throws {SottoError} proxy/invalid-request – also for events of a format that has none
 */
export function readTranscriptionForm(form: PlaintextForm): {
  readonly form: PlaintextForm
  readonly stream: boolean
} {
  const members = membersOfForm(form)
  const stream = switchOf('stream', members['stream'])
  if (!stream) return { form: withoutFields(form, ['stream']), stream }
  oneOf('response_format', members['response_format'], ['json', 'text'])
  return { form: withoutFields(form, ['stream', 'response_format']), stream }
}

/** Writes speech as OpenAI's events, piece by piece as it arrives. */
export function writeSpeechEvents({ status, body }: PlaintextAnswer): WrittenAnswer {
  return { status, contentType: EVENT_STREAM, body: encoded(speechEvents(body)) }
}

async function* speechEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  try {
    for await (const piece of body) yield audioDelta(piece)
    yield eventText('speech.audio.done', { type: 'speech.audio.done', usage: NO_TOKENS })
  } catch (thrown) {
    yield `data: ${JSON.stringify(toOpenAiError(asSottoError(thrown)))}\n\n`
  }
}

function audioDelta(piece: Uint8Array): string {
  return eventText('speech.audio.delta', {
    type: 'speech.audio.delta',
    audio: Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64'),
  })
}

/**
 * Writes a transcript as OpenAI's events. Text that isn't JSON is the transcript.
 * @throws the errors of the answer's body
 */
export async function writeTranscriptEvents({ status, body }: PlaintextAnswer): Promise<WrittenAnswer> {
  const bytes = await readBytes(body, Infinity)
  const transcript = objectIn(bytes)?.['text']
  return {
    status,
    contentType: EVENT_STREAM,
    body: encoded(
      transcriptEvents(typeof transcript === 'string' ? transcript : new TextDecoder().decode(bytes)),
    ),
  }
}

async function* transcriptEvents(text: string): AsyncGenerator<string, void> {
  yield await Promise.resolve(
    eventText('transcript.text.delta', { type: 'transcript.text.delta', delta: text }),
  )
  yield eventText('transcript.text.done', { type: 'transcript.text.done', text })
}

import type { FastifyInstance } from 'fastify'
import type { FormRules } from './form.ts'
import { serveForm } from './form-request.ts'
import {
  readSpeechBody,
  readTranscriptionForm,
  writeSpeechEvents,
  writeTranscriptEvents,
} from './media/audio-answer.ts'
import { serveLook, serveJson } from './plaintext-answer.ts'
import { queryOf } from './request-heads.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

const RECORDING: FormRules = { files: ['file'], mostFiles: 1 }

/**
 * Registers speech, transcriptions, and the lists of voices and models (specification, Audio). Sotto creates
 * the events, because the service doesn't.
 */
export function registerAudio(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/audio/speech`, (request, reply) =>
      serveJson(context, request, reply, (json) => {
        const { body, stream } = readSpeechBody(json)
        return { ask: { endpoint: 'audio/speech', body }, ...(stream && { write: writeSpeechEvents }) }
      }),
    )
    server.post(`${prefix}/audio/transcriptions`, { config: { accepts: 'multipart' } }, (request, reply) =>
      serveForm(context, request, reply, RECORDING, (read) => {
        const { form, stream } = readTranscriptionForm(read)
        return {
          ask: { endpoint: 'audio/transcriptions', form },
          ...(stream && { write: writeTranscriptEvents }),
        }
      }),
    )
    for (const at of ['audio/voices', 'audio/models'] as const) {
      server.get(`${prefix}/${at}`, async (request, reply) =>
        serveLook(context, request, reply, { at, query: queryOf(request.raw) }),
      )
    }
  }
}

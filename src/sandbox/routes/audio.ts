import { z } from 'zod'
import { audioModels, defaultTranscriptionModel, languages, voices } from '../audio/models.ts'
import { transcriptFormats, writeTranscript, type Transcript } from '../audio/transcript.ts'
import { readWave } from '../audio/wave.ts'
import { mediaDialect } from '../dialect.ts'
import { readMultipart, type UploadedFile } from '../media/multipart.ts'
import { listing } from '../models.ts'
import { json } from '../refusal.ts'
import { chargeOnce } from '../route/pay-per-request.ts'
import { accountRoute, bare, publicRoute, type Route } from '../route/route.ts'
import type { Revision } from '../sandbox.ts'
import { uploadSchema } from './images.ts'
import { speechRoutes } from './speech.ts'

/** Limits of the specification. */
const maxBytes = 25 * 1024 * 1024
const endings = ['mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'wav', 'webm']

const requestSchema = z.looseObject({
  file: uploadSchema,
  model: z.string().min(1).max(200).default(defaultTranscriptionModel),
  response_format: z.enum(transcriptFormats).default('json'),
  language: z
    .string()
    .regex(/^(?:multi|[a-z]{2,3}(?:-[A-Za-z]{2,4})?)$/, 'must be a language code, or multi')
    .optional(),
  prompt: z.string().max(4000).optional(),
})

/** In Revision A audio has another base address, and its paths begin with /api. */
function transcriptionRoute(revision: Revision): Route {
  return accountRoute({
    ...bare,
    method: 'POST',
    path: revision === 'A' ? '/api/v1/audio/transcriptions' : '/v1/audio/transcriptions',
    revision,
    tag: 'Audio',
    summary: 'Transcribe speech',
    answers: {
      200: {
        description: 'The transcript, in the requested format',
        schema: z.looseObject({ text: z.string() }),
      },
      402: { description: 'The balance or the cap of the key is too low' },
      404: { description: 'No such model' },
      413: { description: 'More than 25 MB' },
    },
    dialect: mediaDialect,
    takes: ['authorization'],
    bodyType: 'multipart/form-data',
    read: readMultipart(mediaDialect),
    input: requestSchema,
    serve: ({ ledger }, call) => {
      const { file, model: id, response_format: format, language = 'multi' } = call.input
      const model = audioModels.find((each) => each.id === id && each.task === 'transcription')
      if (!model) return mediaDialect.refuse(404, `Unknown transcription model: ${id.slice(0, 80)}`, 'model')
      if (file.bytes.length > maxBytes) return mediaDialect.refuse(413, 'must be at most 25 MB', 'file')
      if (file.bytes.length === 0 || !endings.includes(file.name.split('.').at(-1)?.toLowerCase() ?? ''))
        return mediaDialect.refuse(400, `must be an audio file of type ${endings.join(', ')}`, 'file')
      const transcript = listen(file, language === 'multi' ? 'en' : language)
      const charged = chargeOnce(
        ledger,
        mediaDialect,
        call,
        { model: id, type: 'transcription' },
        (BigInt(Math.ceil(transcript.seconds)) * model.picoPerUnit) / 60n,
        { output: transcript.text.length },
      )
      if ('refusal' in charged) return charged.refusal
      return { status: 200, ...writeTranscript(transcript, format) }
    },
  })
}

/** Transcribes a file of this sandbox to its text; for any other, reports only the duration. */
function listen({ name, bytes }: UploadedFile, language: string): Transcript {
  // If the duration is unknown, assumes compressed audio of 16 kB per second.
  const { seconds, text } = readWave(bytes) ?? { seconds: bytes.length / 16_000 }
  const silence = `Simulated transcript from the sandbox. The file ${name.slice(0, 60)} is about ${Math.max(1, Math.round(seconds))} seconds long.`
  return { text: text ?? silence, seconds, language }
}

const voicesSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      model_id: z.string(),
      name: z.string(),
      language: z.string(),
      provider: z.string(),
    }),
  ),
})

/** Speech, and what can be heard. */
export const audioRoutes: readonly Route[] = [
  ...speechRoutes,
  transcriptionRoute('A'),
  transcriptionRoute('B'),
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/audio/voices',
    revision: 'B',
    tag: 'Audio',
    summary: 'List the voices of both families',
    answers: {
      200: { description: 'The voices', schema: voicesSchema },
      400: { description: 'No voice speaks this language' },
    },
    dialect: mediaDialect,
    query: z.looseObject({
      language: z.enum(languages, `must be one of ${languages.join(', ')}`).optional(),
    }),
    serve: (_context, { query }) =>
      json(200, {
        object: 'list',
        data: voices
          .filter(({ language }) => query.language === undefined || language === query.language)
          .map(({ id, model, name, language, provider }) => ({
            id,
            model_id: model,
            name,
            language,
            provider,
          })),
      }),
  }),
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/audio/models',
    revision: 'B',
    tag: 'Audio',
    summary: 'List transcription models with prices',
    answers: {
      200: {
        description: 'The models',
        schema: z.object({ object: z.literal('list'), data: z.array(z.looseObject({ id: z.string() })) }),
      },
      429: { description: 'Too many requests' },
    },
    dialect: mediaDialect,
    serve: () =>
      json(
        200,
        listing('audio', 'B', ({ id }) =>
          audioModels.some((each) => each.id === id && each.task === 'transcription'),
        ),
      ),
  }),
]

import { z } from 'zod'
import { msg } from '../../../../shared/localized-text.ts'
import { requireRevision } from '../http/access.ts'
import { jsonAnswer, perform, type CallOptions, type Service } from '../http/perform.ts'
import { listed, renamed, type Listed } from '../http/shapes.ts'
import { lenient, name, text } from '../http/wire.ts'

const MAX_VOICES_BYTES = 4 * 1024 * 1024

export interface Voice {
  readonly id: string
  readonly name: string
  readonly modelId?: string | undefined
  /** Such as `en`. */
  readonly language?: string | undefined
  readonly provider?: string | undefined
}

const voiceSchema = z
  .object({
    id: z.string().min(1).max(200),
    name: lenient(name(200)),
    model_id: lenient(text(200)),
    language: lenient(text(40)),
    provider: lenient(name(100)),
  })
  .transform((voice): Voice => ({
    id: voice.id,
    name: voice.name ?? voice.id,
    modelId: voice.model_id,
    language: voice.language,
    provider: voice.provider,
  }))

/** `model_id` of a voice is the ID of its model. */
const voicesSchema = listed(renamed(voiceSchema, { id: ['voice_id', '_id'] }), 10_000, 'voices')

/**
 * Lists the voices of both provider families: `GET /v1/audio/voices` (specification, Audio; Revision B),
 * without authentication.
 * @throws {SottoError} service/not-offered – Revision A; service/…
 */
export async function listVoices(service: Service, options: CallOptions = {}): Promise<Listed<Voice>> {
  requireRevision(service.access(), 'B')
  return perform(
    service,
    {
      method: 'GET',
      target: { path: '/v1/audio/voices' },
      auth: 'none',
      repeatable: true,
      read: jsonAnswer(voicesSchema, msg('The response isn’t a list of voices.'), MAX_VOICES_BYTES),
    },
    options,
  )
}

import { z } from 'zod'
import { say } from '../../../shared/say.ts'
import { requireRevision } from '../http/access.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../http/perform.ts'
import { fitting, lenient, name, text } from '../http/wire.ts'

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
  .object({ id: z.string().min(1).max(200), name: lenient(name(200)), model_id: lenient(text(200)), language: lenient(text(40)), provider: lenient(name(100)) })
  .transform((voice): Voice => ({ id: voice.id, name: voice.name ?? voice.id, modelId: voice.model_id, language: voice.language, provider: voice.provider }))

const voicesSchema = z.object({ data: fitting(voiceSchema, 10_000) }).transform(({ data }) => data.entries)

/** `GET /v1/audio/voices` (specification, Audio; Revision B): no authentication. */
const voicesRequest: ServiceRequest<Voice[]> = {
  method: 'GET', target: { path: '/v1/audio/voices' }, auth: 'none', repeatable: true, read: jsonAnswer(voicesSchema, say('The response isn’t a list of voices.'), MAX_VOICES_BYTES),
}

/** Entries that do not parse are left out. Throws service/not-offered in Revision A, and others of service/…. */
export async function listVoices(service: Service, options: CallOptions = {}): Promise<Voice[]> {
  requireRevision(service.access(), 'B')
  return perform(service, voicesRequest, options)
}

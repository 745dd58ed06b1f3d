import { z } from 'zod'
import { audioModels, defaultSpeechModel, voiceOf, voices, type Voice } from '../audio/models.ts'
import { hum, writeWave } from '../audio/wave.ts'
import { mediaDialect } from '../dialect.ts'
import type { Refusal } from '../refusal.ts'
import type { Revision } from '../sandbox.ts'
import { chargeOnce } from '../route/pay-per-request.ts'
import { accountRoute, bare, type Route } from '../route/route.ts'

const requestSchema = z.looseObject({
  input: z.string().min(1, 'is required').max(1_000_000),
  model: z.string().min(1).max(200).optional(),
  voice: z.string().min(1).max(200).optional(),
  response_format: z.literal('wav', 'only wav is supported').optional(),
})
type SpeechRequest = z.infer<typeof requestSchema>

/** In Revision A audio has another base address, and its paths begin with /api. */
function speechRoute(revision: Revision): Route {
  return accountRoute({
    ...bare,
    method: 'POST',
    path: revision === 'A' ? '/api/v1/audio/speech' : '/v1/audio/speech',
    revision,
    tag: 'Audio',
    summary: 'Generate speech',
    answers: {
      200: { description: 'The audio', contentType: 'audio/wav', schema: z.string() },
      400: { description: 'The text is too long, or there is no such voice' },
      402: { description: 'The balance or the cap of the key is too low' },
      404: { description: 'No such model' },
    },
    dialect: mediaDialect,
    takes: ['authorization'],
    input: requestSchema,
    serve: ({ ledger }, call) => {
      const speaker = speakerOf(call.input, revision)
      if ('refusal' in speaker) return speaker.refusal
      const { input } = call.input
      const model = audioModels.find(({ id }) => id === speaker.model)
      const { maxCharacters = 0, picoPerUnit = 0n } = model ?? {}
      const characters = Array.from(input).length
      if (characters > maxCharacters)
        return mediaDialect.refuse(400, `must be at most ${maxCharacters} characters`, 'input')
      const charged = chargeOnce(
        ledger,
        mediaDialect,
        call,
        { model: speaker.model, type: 'speech' },
        (BigInt(characters) * picoPerUnit) / 1000n,
        { input: characters },
      )
      if ('refusal' in charged) return charged.refusal
      return { status: 200, contentType: 'audio/wav', body: writeWave(hum(input, speaker.pitch), input) }
    },
  })
}

export const speechRoutes: readonly Route[] = [speechRoute('A'), speechRoute('B')]

/** The voice: in Revision B it can replace the model, and both families exist. */
function speakerOf(
  { model: named, voice: wanted }: SpeechRequest,
  revision: Revision,
): Voice | { readonly refusal: Refusal } {
  const byVoice = revision === 'B' ? voices.find(({ id }) => id === named) : undefined
  if (byVoice && wanted === undefined) return byVoice
  const other = revision === 'B' && named === undefined ? voices.find(({ id }) => id === wanted) : undefined
  const id = byVoice?.model ?? other?.model ?? named ?? defaultSpeechModel
  const model = audioModels.find((each) => each.id === id && each.task === 'speech')
  if (!model || (revision === 'A' && id !== defaultSpeechModel))
    return { refusal: mediaDialect.refuse(404, `Unknown speech model: ${id.slice(0, 80)}`, 'model') }
  return (
    voiceOf(wanted, id) ?? {
      refusal: mediaDialect.refuse(
        voices.some((voice) => voice.id === wanted) ? 422 : 400,
        `is not a voice of ${id}`,
        'voice',
      ),
    }
  )
}

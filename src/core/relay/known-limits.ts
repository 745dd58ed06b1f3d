import { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { OpenAsk } from './open-request.ts'

/** Images for each request (specification, Limits). */
const MOST_IMAGES = { A: 10, B: 4 } as const
/** Characters of a text that is spoken, by the provider family (specification, Limits). Revision A has only the first family. */
const MOST_SPOKEN = { first: 2000, any: 5000 } as const
/** The first family's models and voices, such as `aura-asteria-en` (specification, Audio). */
const FIRST_FAMILY = /^deepgram|-[a-z]{2}$/

/**
 * Refuses a request beyond a limit that the specification states. The service has been seen to charge for such a request before it refuses it.
 *
 * @throws {SottoError} request/invalid – with the member at fault
 */
export function requireKnownLimits(ask: OpenAsk, revision: 'A' | 'B'): void {
  if (ask.endpoint === 'images/generations') {
    for (const name of ['n', 'num_images']) requireImages(name, ask.body[name], MOST_IMAGES[revision])
  }
  if (ask.endpoint === 'audio/speech') requireSpoken(ask.body, revision)
}

function requireImages(param: string, value: JsonObject[string] | undefined, most: number): void {
  if (value === undefined || value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)) return
  throw new SottoError('request/invalid', { toolDetail: `It must be an integer from 1 to ${String(most)}.`, param })
}

function requireSpoken({ input, model }: JsonObject, revision: 'A' | 'B'): void {
  if (typeof input !== 'string') return
  const first = revision === 'A' || model === undefined || model === null || (typeof model === 'string' && FIRST_FAMILY.test(model))
  const most = first ? MOST_SPOKEN.first : MOST_SPOKEN.any
  // Two UTF-16 units are one character at most.
  if (input.length <= most || Array.from(input.slice(0, 2 * most + 1)).length <= most) return
  throw new SottoError('request/invalid', { toolDetail: `It must have at most ${String(most)} characters.`, param: 'input' })
}

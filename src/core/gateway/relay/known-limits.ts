import { SottoError } from '../../../shared/errors.ts'
import { speechFamily, spokenLength, spokenLimits } from '../../../shared/audio-limits.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { PlaintextAsk } from './plaintext-request.ts'

/** Images for each request (specification, Limits). */
const MOST_IMAGES = { A: 10, B: 4 } as const

/**
 * Refuses a request beyond a limit in the specification. The service has been seen to charge for such a
 * request before it refuses it.
 * @throws {SottoError} request/invalid – with the faulty member
 */
export function requireKnownLimits(ask: PlaintextAsk, revision: 'A' | 'B'): void {
  if (ask.endpoint === 'images/generations') {
    for (const name of ['n', 'num_images']) requireImages(name, ask.body[name], MOST_IMAGES[revision])
  }
  if (ask.endpoint === 'images/edits') {
    for (const [name, value] of ask.form.fields)
      if (name === 'n' || name === 'num_images')
        requireImages(name, /^\d{1,3}$/.test(value) ? Number(value) : value, MOST_IMAGES[revision])
  }
  if (ask.endpoint === 'audio/speech') requireSpoken(ask.body, revision)
}

function requireImages(param: string, value: JsonObject[string] | undefined, most: number): void {
  if (
    value === undefined ||
    value === null ||
    (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)
  )
    return
  throw new SottoError('request/invalid', {
    toolDetail: `It must be an integer from 1 to ${String(most)}.`,
    param,
  })
}

function requireSpoken({ input, model }: JsonObject, revision: 'A' | 'B'): void {
  if (typeof input !== 'string') return
  const most = spokenLimits[revision === 'A' || typeof model !== 'string' ? 'first' : speechFamily(model)]
  // A code point has one or two UTF-16 units, so only texts between these bounds are counted.
  if (input.length <= most || (input.length <= 2 * most && spokenLength(input) <= most)) return
  throw new SottoError('request/invalid', {
    toolDetail: `It must have at most ${String(most)} characters.`,
    param: 'input',
  })
}

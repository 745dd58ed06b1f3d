import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { PlaintextForm } from '../../relay/index.ts'
import { membersOfForm, oneOf, switchOf, withoutFields, withoutMembers } from './members.ts'

/**
 * The options of a tool for its images. The service answers only with addresses (specification, Image
 * result), so Sotto applies them.
 */
export interface ImageOptions {
  /** Whether the answer contains the images in base64. */
  readonly inline: boolean
  readonly stream: boolean
  /** Members that have no effect. */
  readonly ignored: readonly string[]
  /** Text of the request that OpenAI's events repeat. */
  readonly asked: Readonly<Record<'size' | 'quality' | 'background', string>>
}

/** Members that Sotto handles. The service might charge for a request before it refuses an unknown member. */
const SERVED = ['response_format', 'stream', 'partial_images']

/**
 * Reads the options of a JSON body, and returns the body that the service gets.
 *
 * @throws {SottoError} proxy/invalid-request
 */
export function readImageBody(body: JsonObject): {
  readonly body: JsonObject
  readonly options: ImageOptions
} {
  return { body: withoutMembers(body, SERVED), options: optionsIn(body) }
}

/**
 * Reads the options of a form, and returns the form that the service gets.
 * @throws {SottoError} proxy/invalid-request
 */
export function readImageForm(form: PlaintextForm): {
  readonly form: PlaintextForm
  readonly options: ImageOptions
} {
  return { form: withoutFields(form, SERVED), options: optionsIn(membersOfForm(form)) }
}

function optionsIn(members: JsonObject): ImageOptions {
  const format = oneOf('response_format', members['response_format'], ['url', 'b64_json'])
  const stream = switchOf('stream', members['stream'])
  const text = (name: string): string => (typeof members[name] === 'string' ? members[name] : 'auto')
  return {
    // OpenAI's events have no member for an address.
    inline: format === 'b64_json' || stream,
    stream,
    ignored: members['partial_images'] === undefined ? [] : ['partial_images'],
    asked: { size: text('size'), quality: text('quality'), background: text('background') },
  }
}

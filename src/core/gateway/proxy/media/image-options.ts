import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { PlaintextForm } from '../../relay/index.ts'
import { membersOfForm, oneOf, switchOf, withoutFields, withoutMembers } from './members.ts'

/** How a tool wants its images. The service answers with addresses only (specification, Image result), so Sotto does the rest. */
export interface ImageOptions {
  /** Whether the answer holds the images themselves, in base64. */
  readonly inline: boolean
  readonly stream: boolean
  /** Members that change nothing. */
  readonly ignored: readonly string[]
  /** Text of the request that OpenAI's events repeat. */
  readonly asked: Readonly<Record<'size' | 'quality' | 'background', string>>
}

/** Members that Sotto serves. The service might charge for a request before it refuses a member that it doesn't know. */
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

/** The same of a form. @throws {SottoError} proxy/invalid-request */
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

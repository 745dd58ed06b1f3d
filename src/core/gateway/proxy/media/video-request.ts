import { readBytes } from '../../../../shared/limited-body.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/strict-json.ts'
import { sniffMedia } from '../../../../shared/sniff-media.ts'
import type { PlaintextForm } from '../../relay/index.ts'
import { membersOfForm, refuseMember, withoutMembers } from './members.ts'

/** Media types of images that the service accepts. */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp']
const NESTED = /^input_reference\[(\w+)\]$/

/**
 * Converts a form to a JSON body, with its file as a `data:` address, because the service accepts no forms
 * for videos.
 * @throws {SottoError} proxy/invalid-request
 */
export async function videoBodyOfForm(form: PlaintextForm): Promise<JsonObject> {
  const fields = Object.entries(membersOfForm(form))
  const reference = fields.flatMap(([name, value]): [string, JsonValue][] => {
    const inner = NESTED.exec(name)?.[1]
    return inner === undefined ? [] : [[inner, value]]
  })
  const [file] = form.files
  if (file) reference.push(['image_url', await dataAddress(file.upload.content)])
  const members = fields.filter(([name]) => !NESTED.test(name))
  // A list has one name for several values, and a JSON body would contain only the last one.
  for (const [name] of members) if (name.includes('[')) refuseMember(name, 'It must not be a list.')
  if (reference.length > 1 || (reference.length > 0 && members.some(([name]) => name === 'input_reference')))
    refuseMember('input_reference', 'It must be given once.')
  return {
    ...Object.fromEntries(members),
    ...(reference.length > 0 && { input_reference: Object.fromEntries(reference) }),
  }
}

async function dataAddress(content: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readBytes(content, Infinity)
  const type = sniffMedia(bytes)
  if (!IMAGE_TYPES.includes(type)) refuseMember('input_reference', 'It must be a JPEG, PNG or WebP image.')
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
}

/**
 * Translates OpenAI's members to the service's (specification, Videos): `seconds`, `size` and
 * `input_reference`. Other members remain.
 * @throws {SottoError} proxy/invalid-request – a value has no equivalent, or a member occurs in both forms
 */
export function videoBody(body: JsonObject): JsonObject {
  const { seconds, size, input_reference: reference } = body
  const translated: JsonObject = {
    ...(isGiven(seconds) && { duration: durationOf(seconds) }),
    ...(isGiven(size) && frameOf(size)),
    ...(isGiven(reference) && { image_url: imageOf(reference) }),
  }
  for (const name of Object.keys(translated))
    if (isGiven(body[name]))
      refuseMember(
        name,
        `It must not be given together with "${name === 'duration' ? 'seconds' : name === 'image_url' ? 'input_reference' : 'size'}".`,
      )
  return { ...withoutMembers(body, ['seconds', 'size', 'input_reference']), ...translated }
}

function durationOf(seconds: JsonValue): string {
  if (
    (typeof seconds === 'string' && /^\d{1,4}$/.test(seconds)) ||
    (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0)
  )
    return String(seconds)
  return refuseMember('seconds', 'It must be a number of seconds.')
}

/** Translates a size in pixels to the service's aspect ratio and quality. */
function frameOf(size: JsonValue): JsonObject {
  const [, width = 0, height = 0] = (
    /^(\d{2,5})x(\d{2,5})$/.exec(typeof size === 'string' ? size : '') ?? []
  ).map(Number)
  const ratio = RATIOS.find(([, x, y]) => width > 0 && width * y === height * x)?.[0]
  if (ratio === undefined)
    return refuseMember(
      'size',
      'It must be WIDTHxHEIGHT with an aspect ratio of 16:9, 9:16 or 1:1, such as "1280x720".',
    )
  return { aspect_ratio: ratio, quality: `${String(Math.min(width, height))}p` }
}

const RATIOS = [
  ['16:9', 16, 9],
  ['9:16', 9, 16],
  ['1:1', 1, 1],
] as const

function imageOf(reference: JsonValue): string {
  if (!isJsonObject(reference))
    return refuseMember('input_reference', 'It must be a file, or an object with "image_url".')
  if (isGiven(reference['file_id']))
    return refuseMember(
      'input_reference.file_id',
      'Sotto and the service store no files. Send the file or its URL.',
    )
  return typeof reference['image_url'] === 'string'
    ? reference['image_url']
    : refuseMember('input_reference.image_url', 'It must be a string.')
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null
}

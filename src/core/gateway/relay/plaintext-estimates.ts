import type { Model } from '../../../shared/model.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import {
  estimateEmbeddings,
  estimateImages,
  estimateSpeech,
  estimateTranscription,
  estimateVideo,
  together,
  type ImageSize,
  type MaybeEstimate,
} from '../pricing/index.ts'
import type { PlaintextListings } from './plaintext-listings.ts'
import type { PlaintextForm } from './plaintext-request.ts'

/**
 * Estimates in pico-USD, like all functions here, for one text, a list of texts, or tokens that were counted
 * elsewhere. Unknown for any other input.
 */
export function estimateEmbeddingsBody(model: Model, { input }: JsonObject): MaybeEstimate {
  const inputs =
    typeof input === 'string' ? [input] : Array.isArray(input) ? (isTokens(input) ? [input] : input) : []
  const sizes: number[] = []
  for (const one of inputs) {
    if (typeof one === 'string') sizes.push(Buffer.byteLength(one))
    else if (Array.isArray(one) && isTokens(one)) sizes.push(one.length)
    else return 'unknown'
  }
  return estimateEmbeddings(model, sizes)
}

function isTokens(list: readonly JsonValue[]): boolean {
  return list.length > 0 && list.every((token) => typeof token === 'number')
}

/**
 * Members with two names (specification, Images). If both are present and differ, it's unknown which one
 * counts.
 */
const ALIASES = { n: 'num_images', size: 'aspect_ratio' } as const

/**
 * Estimates a JSON body (specification, Images). Unknown if a member has another type, or the two names of a
 * member have different values.
 */
export function estimateImagesBody({ mediaPrice }: Model, body: JsonObject): MaybeEstimate {
  const size = imageSize((name) => body[name])
  return size === 'unknown' ? size : estimateImages(mediaPrice, size)
}

/** Estimates a form, whose numbers are text, like estimateImagesBody. */
export function estimateImageForm({ mediaPrice }: Model, { fields }: PlaintextForm): MaybeEstimate {
  const values = new Map(fields)
  const size = imageSize((name) => {
    const value = values.get(name)
    return (name === 'n' || name === ALIASES.n) && value !== undefined && /^\d{1,3}$/.test(value)
      ? Number(value)
      : value
  })
  return size === 'unknown' ? size : estimateImages(mediaPrice, size)
}

function imageSize(member: (name: string) => JsonValue | undefined): ImageSize | 'unknown' {
  const n = eitherOf(member('n'), member(ALIASES.n))
  const size = eitherOf(member('size'), member(ALIASES.size))
  const quality = presentValue(member('quality'))
  const resolution = presentValue(member('resolution'))
  if (n !== undefined && typeof n !== 'number') return 'unknown'
  if (!isText(size) || !isText(quality) || !isText(resolution)) return 'unknown'
  return { n, size, quality, resolution }
}

/**
 * Estimates a JSON body (specification, Videos); `duration` may be a number. Unknown if a member has another
 * type.
 */
export function estimateVideoBody({ mediaPrice }: Model, body: JsonObject): MaybeEstimate {
  const duration = presentValue(body['duration'])
  const [quality, aspectRatio] = [presentValue(body['quality']), presentValue(body['aspect_ratio'])]
  const seconds = typeof duration === 'number' ? String(duration) : duration
  return isText(seconds) && isText(quality) && isText(aspectRatio)
    ? estimateVideo(mediaPrice, { duration: seconds, quality, aspectRatio })
    : 'unknown'
}

/**
 * Estimates by the number of characters. If the service selects the model, every listed price is possible.
 * @param speaker ID of the model
 */
export async function estimateSpeechBody(
  { input }: JsonObject,
  speaker: string | undefined,
  { audio, transcription }: PlaintextListings,
): Promise<MaybeEstimate> {
  if (typeof input !== 'string') return 'unknown'
  const characters = Array.from(input).length
  if (speaker !== undefined)
    return estimateSpeech((await audio.find(speaker).catch(() => undefined))?.price, characters)
  const listening = new Set((await transcription.all().catch(() => [])).map(({ id }) => id))
  const speaking = (await audio.all().catch(() => [])).filter(({ id }) => !listening.has(id))
  return together(speaking.map(({ price }) => estimateSpeech(price, characters)))
}

/**
 * Estimates by the length of the recording, which only a decoder knows if the caller doesn't.
 * @param model undefined if the service selects it
 */
export async function estimateListener(
  model: string | undefined,
  durationMs: number | undefined,
  { transcription }: PlaintextListings,
): Promise<MaybeEstimate> {
  if (durationMs === undefined) return 'unknown'
  const listening = (await transcription.all().catch(() => [])).filter(
    ({ id }) => model === undefined || id === model,
  )
  return together(listening.map(({ price }) => estimateTranscription(price, durationMs)))
}

function eitherOf(one: JsonValue | undefined, other: JsonValue | undefined): JsonValue | undefined {
  const [a, b] = [presentValue(one), presentValue(other)]
  // If one is neither a number nor text, it remains unknown.
  return a !== undefined && b !== undefined && a !== b ? [] : (a ?? b)
}

/** Some clients write null for an absent member. */
function presentValue(value: JsonValue | undefined): JsonValue | undefined {
  return value === null ? undefined : value
}

function isText(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

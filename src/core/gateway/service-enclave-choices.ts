import { z } from 'zod'
import {
  acceptedImageSchema,
  chatRouteSchema,
  type AcceptedImage,
  type ChatRoute,
} from '../../shared/chat-route.ts'
import { SottoError } from '../../shared/errors.ts'
import { imageRuleSchema, type ImageRule } from '../../shared/policy/service-enclave.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Store } from '../storage/index.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/** The person's settings for the service's own enclave, sealed with the profile's other settings. */
type Settings = Store['settings']

const ROUTE = 'chat-route'
const IMAGES = 'service-enclave-images'
const RECORD = 'service-enclave-record'

/** A person can't have reviewed more images than this. The earliest are removed. */
const MAX_IMAGES = 8

const imagesSchema = z.object({
  rule: imageRuleSchema,
  approved: z.array(acceptedImageSchema).max(MAX_IMAGES),
  proven: z.array(acceptedImageSchema).max(MAX_IMAGES),
})
type Images = z.infer<typeof imagesSchema>

const recordSchema = z.object({
  text: z.string().max(64 * 1024),
  updated: z.iso.date(),
  fetchedAt: z.number(),
})
type StoredRecord = z.infer<typeof recordSchema>

/**
 * Returns the route of chat that isn't private. If there is no readable setting, the service can't read the
 * chat.
 */
export function chosenChatRoute(settings: Settings): ChatRoute {
  const setting = chatRouteSchema.safeParse(settings.get(ROUTE))
  return setting.success ? setting.data : 'relayed'
}

/**
 * A route that lets the service read more weakens protection: the caller confirms it outside the window
 * first.
 */
export function chooseChatRoute(settings: Settings, route: ChatRoute): void {
  settings.set(ROUTE, route)
}

/** Returns the rule for images and the images that the person accepted. @throws {SottoError} store/damaged */
export function acceptedImages(settings: Settings): Images {
  const setting = settings.get(IMAGES)
  return setting === null
    ? { rule: 'published', approved: [], proven: [] }
    : parsed(imagesSchema, tryParseJson(setting))
}

/** A weaker rule weakens protection: the caller confirms it outside the window first. */
export function chooseImageRule(settings: Settings, rule: ImageRule): void {
  settings.set(IMAGES, JSON.stringify({ ...acceptedImages(settings), rule }))
}

/** Accepts an image under a rule. The caller has confirmed it or verified its provenance. */
export function acceptImage(settings: Settings, under: 'approved' | 'proven', image: AcceptedImage): void {
  const images = acceptedImages(settings)
  const others = images[under].filter(({ pcr0 }) => pcr0 !== image.pcr0)
  settings.set(IMAGES, JSON.stringify({ ...images, [under]: [...others, image].slice(-MAX_IMAGES) }))
}

/** Removes an image from both rules. */
export function removeImage(settings: Settings, pcr0: string): void {
  const { rule, approved, proven } = acceptedImages(settings)
  const without = (images: readonly AcceptedImage[]): AcceptedImage[] =>
    images.filter((image) => image.pcr0 !== pcr0)
  settings.set(IMAGES, JSON.stringify({ rule, approved: without(approved), proven: without(proven) }))
}

/**
 * Returns the newest record of the service's images that was seen; null before the first.
 * @throws {SottoError} store/damaged
 */
export function storedRecord(settings: Settings): StoredRecord | null {
  const setting = settings.get(RECORD)
  return setting === null ? null : parsed(recordSchema, tryParseJson(setting))
}

/** Saves the newest record, so that an older one is refused later. */
export function keepRecord(settings: Settings, record: StoredRecord): void {
  settings.set(RECORD, JSON.stringify(record))
}

/** An unreadable setting must not count as none, because that would widen the accepted images. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success)
    throw new SottoError('store/damaged', {
      detail: msg('The choices for the service’s enclave can’t be read.'),
    })
  return result.data
}

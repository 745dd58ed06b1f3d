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

/** What the person chose for the service's own enclave, sealed with the profile's other settings. */
type Settings = Store['settings']

const ROUTE = 'chat-route'
const IMAGES = 'service-enclave-images'
const RECORD = 'service-enclave-record'

/** More images than the person can have looked at aren't kept: the earliest go. */
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

/** How chat that isn't private is sent. Until the person chose, or if the choice can't be read, the service can't read it. */
export function chosenChatRoute(settings: Settings): ChatRoute {
  const kept = chatRouteSchema.safeParse(settings.get(ROUTE))
  return kept.success ? kept.data : 'relayed'
}

/** To let the service read more is to loosen: the caller has that confirmed outside the window first. */
export function chooseChatRoute(settings: Settings, route: ChatRoute): void {
  settings.set(ROUTE, route)
}

/** The rule for images, and the images that the person accepted. Throws store/damaged. */
export function acceptedImages(settings: Settings): Images {
  const kept = settings.get(IMAGES)
  return kept === null
    ? { rule: 'published', approved: [], proven: [] }
    : parsed(imagesSchema, tryParseJson(kept))
}

/** To choose a weaker rule is to loosen: the caller has that confirmed outside the window first. */
export function chooseImageRule(settings: Settings, rule: ImageRule): void {
  settings.set(IMAGES, JSON.stringify({ ...acceptedImages(settings), rule }))
}

/** Accepts an image under a rule. The caller had it confirmed, or verified its provenance. */
export function acceptImage(settings: Settings, under: 'approved' | 'proven', image: AcceptedImage): void {
  const images = acceptedImages(settings)
  const others = images[under].filter(({ pcr0 }) => pcr0 !== image.pcr0)
  settings.set(IMAGES, JSON.stringify({ ...images, [under]: [...others, image].slice(-MAX_IMAGES) }))
}

/** Accepts an image under neither rule from now on. */
export function removeImage(settings: Settings, pcr0: string): void {
  const { rule, approved, proven } = acceptedImages(settings)
  const without = (images: readonly AcceptedImage[]): AcceptedImage[] =>
    images.filter((image) => image.pcr0 !== pcr0)
  settings.set(IMAGES, JSON.stringify({ rule, approved: without(approved), proven: without(proven) }))
}

/** The newest record of the service's images that was seen; null before the first. Throws store/damaged. */
export function storedRecord(settings: Settings): StoredRecord | null {
  const kept = settings.get(RECORD)
  return kept === null ? null : parsed(recordSchema, tryParseJson(kept))
}

/** Keeps the newest record, so that an older one is refused later. */
export function keepRecord(settings: Settings, record: StoredRecord): void {
  settings.set(RECORD, JSON.stringify(record))
}

/** An unreadable choice is never taken for none: that would widen what is accepted. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success)
    throw new SottoError('store/damaged', {
      detail: msg('The choices for the service’s enclave can’t be read.'),
    })
  return result.data
}

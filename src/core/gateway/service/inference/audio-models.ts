import { z } from 'zod'
import type { AudioPrice } from '../../../../shared/audio-price.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { jsonAnswer, type ServiceRequest } from '../http/perform.ts'
import { isUsd, listedByGroup, renamed, type Listed } from '../http/shapes.ts'
import { lenient, name, price, text } from '../http/wire.ts'

const MAX_LISTING_BYTES = 4 * 1024 * 1024

export interface AudioModel {
  readonly id: string
  readonly name: string
  readonly provider?: string | undefined
  readonly type?: string | undefined
  /** Absent if no price is listed. */
  readonly price?: AudioPrice | undefined
}

const prices = {
  api_price: lenient(price),
  base_price: lenient(price),
  unit: lenient(text(100)),
  price_unit: lenient(text(100)),
  currency: z.unknown().optional(),
}
const entrySchema = z
  .object({
    id: z.string().min(1).max(200),
    name: lenient(name(200)),
    provider: lenient(name(100)),
    type: lenient(text(60)),
    ...prices,
    pricing: lenient(z.object(prices)),
  })
  .transform((entry): AudioModel => {
    const inDollars = isUsd(entry.currency) && isUsd(entry.pricing?.currency)
    // The price of an API request. `ui_price` is not for the API.
    const amount =
      entry.api_price ?? entry.pricing?.api_price ?? entry.base_price ?? entry.pricing?.base_price
    const unit = unitOf(
      [entry.unit, entry.price_unit, entry.pricing?.unit, entry.pricing?.price_unit].find(
        (word) => word !== undefined,
      ),
    )
    return {
      id: entry.id,
      name: entry.name ?? entry.id,
      provider: entry.provider,
      type: entry.type,
      ...(amount !== undefined &&
        inDollars &&
        unit !== 'other' && { price: { amount: amount.toString(), ...(unit && { per: unit }) } }),
    }
  })

/** Parses the unit. An unknown unit makes the price unknown. */
function unitOf(unitName: string | undefined): AudioPrice['per'] | 'other' {
  if (unitName === undefined) return undefined
  const plain = unitName.toLowerCase()
  if (/char/.test(plain))
    return /(?:1[, ]?000\b|1k|thousand)/.test(plain)
      ? 'thousand-characters'
      : /\d|million/.test(plain)
        ? 'other'
        : 'character'
  if (/min/.test(plain)) return 'minute'
  return /sec/.test(plain) ? 'second' : 'other'
}

const listingSchema = listedByGroup(
  renamed(entrySchema, { id: ['model_id', '_id'] }),
  1000,
  'provider',
  'models',
)

/** `GET /v1/audio/models` (specification, Audio; Revision B): no authentication. */
export const audioModelsRequest: ServiceRequest<Listed<AudioModel>> = {
  method: 'GET',
  target: { path: '/v1/audio/models' },
  auth: 'none',
  repeatable: true,
  read: jsonAnswer(listingSchema, msg('The response isn’t a list of audio models.'), MAX_LISTING_BYTES),
}

/** `GET /v1/models?type=audio` (specification, Models): it also lists speech models, with their prices. */
export const audioListingRequest: ServiceRequest<Listed<AudioModel>> = {
  ...audioModelsRequest,
  target: { path: '/v1/models', query: { type: 'audio' } },
}

import { listedFacts } from '../../../shared/tools/facts.ts'
import type { Model } from '../../../shared/model.ts'
import { listedPrices } from './estimate.ts'

/** Which models the picker shows: all, those that reason, the fast variants, or the cheapest quarter. */
export const guides = ['all', 'smart', 'fast', 'cheap'] as const
export type Guide = (typeof guides)[number]

/** What makers call the fast variants of their models. Listings don't report the speed. */
const FAST = /(?:^|[^a-z])(?:fast|flash|haiku|instant|lite|mini|nano|small|turbo)(?![a-z])/i

export type Capability = 'reasoning' | 'tools' | 'images'

/** Only what the listing declares. */
export function capabilitiesOf(model: Model): readonly Capability[] {
  const { images, reasoning } = listedFacts(model)
  return [
    ...(reasoning ? (['reasoning'] as const) : []),
    ...(model.supportedParameters?.includes('tools') ? (['tools'] as const) : []),
    ...(images ? (['images'] as const) : []),
  ]
}

/** Pico-USD for a million tokens in and a million out, for comparing models; undefined if a price isn't listed. */
function priceOf(model: Model): bigint | undefined {
  const prices = listedPrices(model)
  return prices && BigInt(prices.input) + BigInt(prices.output)
}

function pricesOf(models: readonly Model[]): bigint[] {
  return models.flatMap((model) => priceOf(model) ?? []).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

export function followGuide(models: readonly Model[], guide: Guide): readonly Model[] {
  switch (guide) {
    case 'all':
      return models
    case 'smart':
      return models.filter((model) => capabilitiesOf(model).includes('reasoning'))
    case 'fast':
      return models.filter(({ id, name }) => FAST.test(name) || FAST.test(id))
    case 'cheap': {
      const prices = pricesOf(models)
      const most = prices[Math.floor((prices.length - 1) / 4)]
      return models.filter((model) => {
        const price = priceOf(model)
        return most !== undefined && price !== undefined && price <= most
      })
    }
  }
}

/** Among fewer models, each price is easy to see. */
const MARKED_FROM = 3

/** The IDs of the cheapest private model and the cheapest other one. */
export function cheapestIds(models: readonly Model[]): readonly string[] {
  return [true, false].flatMap((isPrivate) => {
    const group = models.filter((model) => model.private === isPrivate)
    const prices = pricesOf(group)
    if (prices.length < MARKED_FROM) return []
    return group.find((model) => priceOf(model) === prices[0])?.id ?? []
  })
}

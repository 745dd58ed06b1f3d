import type { MediaPrice, PriceTable } from '../../../../shared/price-table.ts'
import { isRecord } from '../../../../shared/strict-json.ts'
import { isUsd } from '../http/shapes.ts'
import { price } from '../http/wire.ts'
import { mayBePrice } from './listed-prices.ts'

type Dimension = Exclude<Exclude<PriceTable, string>['by'], undefined>

/** Maps the names of parameters in listings. */
const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  quality: 'quality',
  qualities: 'quality',
  size: 'size',
  sizes: 'size',
  aspect_ratio: 'size',
  resolution: 'resolution',
  resolutions: 'resolution',
  duration: 'duration',
  durations: 'duration',
  seconds: 'duration',
}
const BASE_NAMES = ['base_price', 'price', 'per_image', 'per_video', 'price_per_image', 'price_per_video']
const SECOND_NAMES = ['per_second', 'price_per_second']
/**
 * Members that are read, or that don't affect the price of an API request. Any other member that may be a
 * price makes the price unknown.
 */
const KNOWN = new Set([
  ...BASE_NAMES,
  ...SECOND_NAMES,
  'api',
  'ui',
  'architecture',
  'average_cost',
  'prompts_per_dollar',
])
/** The form of a tier, a resolution, an aspect ratio or a duration. */
const VALUE =
  /^(?:low|medium|high|standard|hd|ultra|auto|default|draft|fast|pro|turbo|basic|premium|square|portrait|landscape|\d+(?:\.\d+)?(?:k|p|s)?|\d+[x:]\d+)$/i
const MAX_DEPTH = 4
const MAX_ENTRIES = 100

/**
 * Reads the price of an image or video from the `pricing` member of a listing's entry: a base price and
 * tables nested by quality, size and duration (service-observed, Models). Returns undefined, so that the
 * price is unknown, if it's absent, in another currency, negative, or depends on an unknown member.
 */
export function readMediaPrice(pricing: unknown): MediaPrice | undefined {
  if (!isRecord(pricing) || !isUsd(pricing['currency'])) return undefined
  const listed = isRecord(pricing['api']) ? pricing['api'] : pricing
  const base = firstPrice(listed, BASE_NAMES)
  const perSecond = firstPrice(listed, SECOND_NAMES)
  const tables: PriceTable[] = []
  const values: Record<string, PriceTable> = {}
  for (const [name, member] of Object.entries(listed)) {
    const by = dimensionOf(name)
    if (by || VALUE.test(name)) {
      const table = readTable(member, 1)
      if (table === undefined) return undefined
      if (!by) values[name] = table
      else if (typeof table === 'string') return undefined
      else tables.push({ by, of: table.of })
    } else if (!KNOWN.has(name) && mayBePrice(member)) return undefined
  }
  if (Object.keys(values).length > 0) tables.push({ of: values })
  if (base === undefined && perSecond === undefined && tables.length === 0) return undefined
  if (base === null || perSecond === null) return undefined
  return { tables, ...(base !== undefined && { base }), ...(perSecond !== undefined && { perSecond }) }
}

function readTable(member: unknown, depth: number): PriceTable | undefined {
  if (!isRecord(member)) return amount(member)
  const entries = Object.entries(member)
  if (depth > MAX_DEPTH || entries.length === 0 || entries.length > MAX_ENTRIES) return undefined
  const [only] = entries
  const by = entries.length === 1 && only ? dimensionOf(only[0]) : undefined
  if (by && only) {
    const inner = readTable(only[1], depth + 1)
    return inner === undefined || typeof inner === 'string' ? undefined : { by, of: inner.of }
  }
  const of: Record<string, PriceTable> = {}
  for (const [value, inner] of entries) {
    const table =
      value.length > 40 || value === '__proto__' || dimensionOf(value)
        ? undefined
        : readTable(inner, depth + 1)
    if (table === undefined) return undefined
    of[value] = table
  }
  return { of }
}

function dimensionOf(name: string): Dimension | undefined {
  return Object.hasOwn(DIMENSIONS, name) ? DIMENSIONS[name] : undefined
}

/** Returns the first price; null if a member of that name isn't a price. */
function firstPrice(
  listed: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | null | undefined {
  const name = names.find((candidate) => listed[candidate] !== undefined && listed[candidate] !== null)
  return name === undefined ? undefined : (amount(listed[name]) ?? null)
}

function amount(value: unknown): string | undefined {
  const parsed = price.safeParse(value)
  return parsed.success ? parsed.data.toString() : undefined
}

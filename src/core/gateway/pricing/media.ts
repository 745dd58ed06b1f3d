import type { MediaPrice, PriceTable } from '../../../shared/price-table.ts'
import { isCount, listedPrice, together, type Estimate, type MaybeEstimate } from './estimate.ts'

type Dimension = Exclude<Exclude<PriceTable, string>['by'], undefined>
/** The request's parameters, verbatim. */
type Parameters = Readonly<Partial<Record<Dimension, string | undefined>>>

export interface ImageSize extends Pick<Parameters, 'quality' | 'size' | 'resolution'> {
  /** Count of images. 1 by default. */
  readonly n?: number | undefined
}

/**
 * Estimates images by quality, aspect ratio and resolution. If the request omits a parameter, every listed
 * price for it is possible.
 */
export function estimateImages(
  price: MediaPrice | undefined,
  { n = 1, ...parameters }: ImageSize,
): MaybeEstimate {
  if (!price || price.perSecond !== undefined || !isCount(n) || n === 0) return 'unknown'
  const one = ofOne(price, parameters)
  return one === 'unknown' ? one : { least: one.least * BigInt(n), most: one.most * BigInt(n) }
}

export interface VideoSize {
  /** Seconds, as the request writes them. */
  readonly duration?: string | undefined
  /** Resolution tier, such as `1080p`. */
  readonly quality?: string | undefined
  readonly aspectRatio?: string | undefined
}

/** A video's default aspect ratio (specification, Videos). */
const ASPECT_RATIO = '16:9'

/**
 * Estimates a video by the second if that price is listed, otherwise by the tables for length, quality and
 * aspect ratio. In pico-USD. Returns `unknown` if a price per second comes with other prices or without a
 * length in whole seconds.
 */
export function estimateVideo(
  price: MediaPrice | undefined,
  { duration, quality, aspectRatio = ASPECT_RATIO }: VideoSize,
): MaybeEstimate {
  if (!price) return 'unknown'
  const perSecond = listedPrice(price.perSecond)
  if (perSecond === undefined)
    return ofOne(price, { duration, quality, resolution: quality, size: aspectRatio })
  // With two kinds of prices, or without a length, the price is unknown.
  if (
    price.base !== undefined ||
    price.tables.length > 0 ||
    duration === undefined ||
    !/^\d{1,4}$/.test(duration)
  )
    return 'unknown'
  const cost = perSecond * BigInt(duration)
  return cost === 0n && perSecond > 0n ? 'unknown' : { least: cost, most: cost }
}

function ofOne({ base, tables }: MediaPrice, parameters: Parameters): MaybeEstimate {
  const standard = listedPrice(base)
  if (tables.length === 0) return standard === undefined ? 'unknown' : { least: standard, most: standard }
  const found = tables.map((table) => lookUp(table, parameters))
  const [first, ...others] = found
  if (first === undefined || first === 'unknown') return 'unknown'
  // The price list doesn't define how two tables combine. A price is known only if they agree.
  if (
    others.some(
      (other) =>
        other === 'unknown' ||
        first.least !== first.most ||
        other.least !== first.least ||
        other.most !== first.most,
    )
  )
    return 'unknown'
  if (first.decided || standard === undefined) return { least: first.least, most: first.most }
  return together([first, { least: standard, most: standard }])
}

interface Found extends Estimate {
  /** The request's parameters selected this price. */
  readonly decided: boolean
}

function lookUp(table: PriceTable, parameters: Parameters): Found | 'unknown' {
  if (typeof table === 'string') {
    const amount = listedPrice(table)
    return amount === undefined ? 'unknown' : { least: amount, most: amount, decided: true }
  }
  const keys = Object.keys(table.of)
  const chosen = table.by === undefined ? chosenByAny(keys, parameters) : chosenBy(keys, parameters[table.by])
  if (chosen === 'unknown') return 'unknown'
  const found = (chosen ?? keys).map((key) => lookUp(table.of[key] ?? '-1', parameters))
  const range = together(found)
  if (range === 'unknown') return range
  return { ...range, decided: chosen !== undefined && found.every((one) => one !== 'unknown' && one.decided) }
}

/**
 * Returns the keys that a value selects; undefined if the request omits the parameter; `unknown` if the
 * requested value isn't listed.
 */
function chosenBy(keys: readonly string[], value: string | undefined): string[] | 'unknown' | undefined {
  if (value === undefined) return undefined
  const matching = keys.filter((key) => plain(key) === plain(value))
  return matching.length > 0 ? matching : 'unknown'
}

/** Selects keys if the table doesn't name its parameter: the form of the keys shows it. */
function chosenByAny(keys: readonly string[], parameters: Parameters): string[] | 'unknown' | undefined {
  const entries = Object.entries(parameters).filter(
    (entry): entry is [Dimension, string] => entry[1] !== undefined,
  )
  const matching = keys.filter((key) => entries.some(([, value]) => plain(value) === plain(key)))
  if (matching.length > 0) return matching
  const forms = new Set(keys.map(formOf))
  return entries.some(([name]) => forms.has(name === 'size' || name === 'duration' ? name : 'tier'))
    ? 'unknown'
    : undefined
}

function formOf(key: string): 'size' | 'duration' | 'tier' {
  if (/^\d+[x:]\d+$|^(?:square|portrait|landscape)$/.test(plain(key))) return 'size'
  return /^\d+(?:\.\d+)?$/.test(plain(key)) ? 'duration' : 'tier'
}

/** Normalizes a value: `5s` and `5` are one duration, `1K` and `1k` one resolution. */
function plain(value: string): string {
  return value
    .trim()
    .toLowerCase()
    .replace(/^(\d+(?:\.\d+)?)s$/, '$1')
}

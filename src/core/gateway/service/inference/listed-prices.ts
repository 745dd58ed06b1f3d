import { isUsd } from '../http/shapes.ts'
import { price } from '../http/wire.ts'

/** Members of a token model's `pricing` that are read, or that don't affect the price of a text chat. */
const KNOWN: ReadonlySet<string> = new Set([
  'currency',
  'unit',
  'input_per_1M_tokens',
  'output_per_1M_tokens',
  'inputTokenPricePer1M',
  'outputTokenPricePer1M',
  'api',
  'ui',
  'web_search',
  'average_cost',
  'prompts_per_dollar',
  // Only a request with a cache marker is charged for these, and its price is unknown here.
  'input_cache_read',
  'input_cache_write',
  'cache_read_per_1M_tokens',
  'cache_write_per_1M_tokens',
  'cached_input_per_1M_tokens',
])
/** A unit that matches the names of the prices. */
const UNIT = /^(?:usd)?(?:per|\/)?(?:1m|1000000|million)(?:tokens?)?$/

/**
 * Whether a listed token price is reliable. Another currency or unit, or an unknown member that may be a
 * price, makes every price of the entry unknown. Otherwise a request could exceed a limit unnoticed.
 */
export function hasKnownPrices(pricing: Readonly<Record<string, unknown>>): boolean {
  const { currency, unit } = pricing
  if (
    !isUsd(currency) ||
    (unit !== undefined &&
      unit !== null &&
      !(typeof unit === 'string' && UNIT.test(unit.toLowerCase().replaceAll(/[\s_,-]/g, ''))))
  )
    return false
  return !Object.entries(pricing).some(([name, value]) => !KNOWN.has(name) && mayBePrice(value))
}

/** Whether the value is an amount above zero, or an object or a list that may contain one. */
export function mayBePrice(value: unknown): boolean {
  if (typeof value === 'object') return value !== null && Object.keys(value).length > 0
  const amount = price.safeParse(value).data
  return amount !== undefined && amount > 0n
}

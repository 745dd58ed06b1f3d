import { z } from 'zod'
import type { FetchResponse } from '../../../shared/fetch.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { isJsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import { parseExactJson } from '../service/http/exact-json.ts'
import { price } from '../service/http/wire.ts'

/** A count as a number or as decimal text: services have been seen to write both. */
const tokens = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .nullish()
const details = z
  .looseObject({
    cached_tokens: tokens,
    reasoning_tokens: tokens,
    audio_tokens: tokens,
    image_tokens: tokens,
  })
  .nullish()

/** The names of chat completions, and those of Responses and Messages, which some services write here too. */
const usageSchema = z.looseObject({
  prompt_tokens: tokens,
  input_tokens: tokens,
  completion_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: details,
  input_tokens_details: details,
  completion_tokens_details: details,
  output_tokens_details: details,
})

/**
 * Reads the token counts of a chat completion. `prompt` includes `cached`; `completion` includes `reasoning`,
 * unless `total` is larger than both.
 * @returns undefined if there are no counts, or if one of them can't be read: a partial count isn't one
 */
export function readUsage(usage: unknown): TokenUsage | undefined {
  const read = usageSchema.safeParse(usage).data
  if (!read) return undefined
  const [prompt, completion, total] = [
    read.prompt_tokens ?? read.input_tokens,
    read.completion_tokens ?? read.output_tokens,
    read.total_tokens,
  ]
  if (prompt === undefined && completion === undefined && total === undefined) return undefined
  const input = read.prompt_tokens_details ?? read.input_tokens_details
  const output = read.completion_tokens_details ?? read.output_tokens_details
  return {
    prompt: prompt ?? 0,
    completion: completion ?? 0,
    ...counted('total', total),
    ...counted('cached', input?.cached_tokens && Math.min(input.cached_tokens, prompt ?? 0)),
    ...counted('reasoning', output?.reasoning_tokens),
    ...counted(
      'media',
      sum([input?.audio_tokens, input?.image_tokens, output?.audio_tokens, output?.image_tokens]),
    ),
  }
}

function counted(
  name: Exclude<keyof TokenUsage, 'prompt' | 'completion'>,
  count: number | null | undefined,
): Partial<TokenUsage> {
  return count ? { [name]: count } : {}
}

function sum(counts: readonly (number | null | undefined)[]): number {
  return counts.reduce<number>((all, count) => all + (count ?? 0), 0)
}

/**
 * Reads the cost that a chat completion states: `usage.cost`, `usage.cost_details`, or a top-level `cost`.
 * @param json the text of the completion or of its last events: the digits are read as they are written
 * @returns pico-USD; undefined if no cost is stated, or if it can't be read
 */
export function readStatedCost(json: string): bigint | undefined {
  if (!json.includes('"cost')) return undefined
  const answer = exactly(json)
  if (!isJsonObject(answer)) return undefined
  const usage = isJsonObject(answer['usage']) ? answer['usage'] : {}
  const currency = usage['currency'] ?? answer['currency'] ?? 'USD'
  if (typeof currency !== 'string' || currency.toUpperCase() !== 'USD') return undefined
  const parts = isJsonObject(usage['cost_details'])
    ? usage['cost_details']
    : isJsonObject(answer['cost_details'])
      ? answer['cost_details']
      : {}
  return [
    usage['cost'],
    usage['cost_usd'],
    answer['cost'],
    answer['cost_usd'],
    parts['total_cost'],
    parts['upstream_inference_cost'],
  ]
    .map(dollars)
    .find((cost) => cost !== undefined)
}

function exactly(json: string): JsonValue | undefined {
  try {
    return parseExactJson(json)
  } catch {
    return undefined
  }
}

function dollars(cost: JsonValue | undefined): bigint | undefined {
  return price.safeParse(cost).data
}

/**
 * Headers, or trailers of a stream, that carry the usage of a sealed answer. The service writes them outside
 * the seal, because it also charges outside it.
 */
const USAGE_HEADERS = [
  'x-tinfoil-usage-metrics',
  'x-private-usage-metrics',
  'x-encrypted-usage-metrics',
] as const
const HEADER_COST = /(?:^|,)\s*cost_usd=([\d.eE+-]{1,40})\s*(?:,|$)/

/**
 * Reads the cost that headers or trailers state (`cost_usd`).
 * @param answer an answer whose body has ended, because its trailers arrive after that
 * @returns pico-USD; undefined if no cost is stated
 */
export function readHeaderCost({
  headers,
  trailers,
}: Pick<FetchResponse, 'headers' | 'trailers'>): bigint | undefined {
  for (const name of USAGE_HEADERS) {
    const cost = dollars(HEADER_COST.exec(headers.get(name) ?? trailers?.get(name) ?? '')?.[1])
    if (cost !== undefined) return cost
  }
  return undefined
}

import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { Model } from '../../../shared/model.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { ServiceAccess } from '../http/access.ts'
import { sendForJson } from '../http/request.ts'

const MAX_LISTING_BYTES = 8 * 1024 * 1024
const MAX_MODELS = 10_000

/** A number, or a number's text: the service has been seen to send both. */
const price = z.union([z.number(), z.string().max(40)])
const count = z.coerce.number().int().positive()

/** One entry as observed; what it lacks or garbles is absent and never guessed. */
const entrySchema = z.object({
  id: z.string().min(1).max(200),
  name: z.string().max(200).optional().catch(undefined),
  provider: z.string().max(200).optional().catch(undefined),
  owned_by: z.string().max(200).optional().catch(undefined),
  type: z.string().max(40).optional().catch(undefined),
  created_at: z.coerce.number().optional().catch(undefined),
  context_length: count.optional().catch(undefined),
  architecture: z.object({ input_modalities: z.array(z.string().max(40)).max(20) }).optional().catch(undefined),
  pricing: z
    .object({
      currency: z.string().optional(),
      input_per_1M_tokens: price.optional(),
      output_per_1M_tokens: price.optional(),
      api: z.object({ input_per_1M: price.optional(), output_per_1M: price.optional() }).optional(),
    })
    .optional()
    .catch(undefined),
})

const listingSchema = z.object({ data: z.array(z.unknown()).max(MAX_MODELS) })

/** Reads a dollar amount's decimal text exactly, to pico-USD; null where it is none (core/pricing has it). */
export type ParseUsd = (value: number | string) => bigint | null

/** `GET /v1/models?type=all` (specification, Models). Entries that do not parse are left out; of two with one id the first counts. */
export async function listModels(fetch: Fetch, access: ServiceAccess, parseUsd: ParseUsd, signal?: AbortSignal): Promise<Model[]> {
  const answer = await sendForJson(
    fetch,
    `${access.baseUrl}/v1/models?type=all`,
    { method: 'GET', headers: { accept: 'application/json' }, ...(signal && { signal }) },
    MAX_LISTING_BYTES,
  )
  const listing = listingSchema.safeParse(answer)
  if (!listing.success) throw new SottoError('service/response-invalid', { detail: 'It is not a model listing.' })
  const models = new Map<string, Model>()
  for (const item of listing.data.data) {
    const entry = entrySchema.safeParse(item)
    if (entry.success && !models.has(entry.data.id)) models.set(entry.data.id, toModel(entry.data, parseUsd))
  }
  return [...models.values()]
}

function toModel(entry: z.infer<typeof entrySchema>, parseUsd: ParseUsd): Model {
  const inDollars = entry.pricing?.currency === undefined || entry.pricing.currency === 'USD'
  const usd = (value: number | string | undefined): string | undefined => {
    const pico = value === undefined || !inDollars ? null : parseUsd(value)
    // Router models are listed at -1: their price depends on where they route.
    return pico === null || pico < 0n ? undefined : pico.toString()
  }
  const inputPerMillion = usd(entry.pricing?.input_per_1M_tokens ?? entry.pricing?.api?.input_per_1M)
  const outputPerMillion = usd(entry.pricing?.output_per_1M_tokens ?? entry.pricing?.api?.output_per_1M)
  const provider = entry.provider ?? entry.owned_by
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    private: isPrivateModel(entry.id),
    ...(provider !== undefined && { provider }),
    ...(entry.type !== undefined && { type: entry.type }),
    ...(entry.context_length !== undefined && { contextLength: entry.context_length }),
    ...(entry.created_at !== undefined && { addedAt: entry.created_at }),
    ...(entry.architecture && { inputModalities: entry.architecture.input_modalities }),
    ...(inputPerMillion !== undefined && { inputPerMillion }),
    ...(outputPerMillion !== undefined && { outputPerMillion }),
  }
}

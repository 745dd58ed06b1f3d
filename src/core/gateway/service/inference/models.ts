import { z } from 'zod'
import { cleanDisplayName } from '../../../../shared/display-name.ts'
import type { Model } from '../../../../shared/model.ts'
import { isPrivateModel } from '../../../../shared/privacy.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../http/perform.ts'
import { isUsd, listedByGroup, renamed, type Listed } from '../http/shapes.ts'
import { count, decimal, fitting, flag, lenient, moment, name, price, text } from '../http/wire.ts'
import { hasKnownPrices } from './listed-prices.ts'
import { readMediaPrice } from './media-price.ts'

const MAX_LISTING_BYTES = 8 * 1024 * 1024
const MAX_MODELS = 10_000
const MAX_ID = 200
const PRIVATE = 'private/'

/** An invalid price is unknown, such as the -1 of routers whose price depends on the route. */
const known = lenient(price)

/** Services write a context of one token for models without a context. No prompt fits into it. */
const contextLength = lenient(count.pipe(z.int().min(2)))
const maxOutput = lenient(count.pipe(z.int().positive()))
const modalities = lenient(fitting(text(40), 20))
/** OpenRouter's form, such as `text+image->text`. */
const modality = lenient(text(200).regex(/^[\w+-]+->[\w+-]+$/))
/** The latest date in ECMAScript. */
const MAX_DATE_MS = 8.64e15
/** Servers that don't know the date write 0. */
const addedAt = lenient(moment.refine((at) => at > 0 && at <= MAX_DATE_MS))
const averages = {
  average_cost: known,
  prompts_per_dollar: lenient(decimal.transform(Number).pipe(z.number().min(0))),
}

/**
 * One entry as observed. An absent or invalid member is undefined and never guessed. A rate is read only if
 * its name states the number of tokens.
 */
const entrySchema = z.object({
  // It's sent back byte for byte, so it isn't cleaned. An ID with misleading characters makes the entry invalid.
  id: z
    .string()
    .min(1)
    .max(MAX_ID)
    .refine((id) => cleanDisplayName(id) === id),
  name: lenient(name(200)),
  description: lenient(name(4000)),
  provider: lenient(name(200)),
  owned_by: lenient(name(200)),
  type: lenient(text(40)),
  created_at: addedAt,
  created: addedAt,
  date_added: addedAt,
  context_length: contextLength,
  max_context: contextLength,
  max_output_tokens: maxOutput,
  max_completion_tokens: maxOutput,
  top_provider: lenient(z.object({ max_completion_tokens: maxOutput })),
  architecture: lenient(z.object({ modality, input_modalities: modalities, output_modalities: modalities })),
  supported_parameters: lenient(fitting(text(60), 200)),
  multimodal: lenient(flag),
  ...averages,
  pricing: lenient(
    z.looseObject({
      currency: z.unknown().optional(),
      input_per_1M_tokens: known,
      output_per_1M_tokens: known,
      web_search: known,
      ...averages,
      // Names of a provider with a direct connection.
      inputTokenPricePer1M: known,
      outputTokenPricePer1M: known,
      requestPrice: known,
      api: lenient(z.object({ input_per_1M: known, output_per_1M: known })),
    }),
  ),
})

type Entry = z.infer<typeof entrySchema>

const listingSchema = listedByGroup(
  renamed(entrySchema, { id: ['model_id', '_id'], name: ['model_name'] }),
  MAX_MODELS,
  'provider',
  'models',
).transform(({ entries, unreadable }): Listed<Entry> => ({
  entries,
  unreadable: entries.reduce(
    (sum, { architecture, supported_parameters: parameters }) =>
      sum +
      (architecture?.input_modalities?.unreadable ?? 0) +
      (architecture?.output_modalities?.unreadable ?? 0) +
      (parameters?.unreadable ?? 0),
    unreadable,
  ),
}))
const readListing = jsonAnswer(listingSchema, msg('The response isn’t a list of models.'), MAX_LISTING_BYTES)

/** `GET /v1/models?type=all` (specification, Models): chat models and all other listed models. */
function modelsRequest(type = 'all'): ServiceRequest<Listed<Model>> {
  return listing({ path: '/v1/models', query: { type } })
}

function listing(target: ServiceRequest<unknown>['target']): ServiceRequest<Listed<Model>> {
  return {
    method: 'GET',
    target,
    auth: 'none',
    repeatable: true,
    read: async (response) => {
      const { entries, unreadable } = await readListing(response)
      return { entries: firstOfEach(entries).map((entry) => toModel(entry)), unreadable }
    },
  }
}

/**
 * Lists the models, or those of a type such as `embedding`.
 *
 * @returns each ID once; `unreadable` also counts modalities and parameters that were skipped
 * @throws {SottoError} service/…
 */
export function listModels(
  service: Service,
  options: CallOptions & { readonly type?: string } = {},
): Promise<Listed<Model>> {
  return perform(service, modelsRequest(options.type), options)
}

/**
 * Lists the models of a provider with a direct connection: `GET {router}/v1/models`, without a key. Each one
 * runs in an enclave, so its ID begins with `private/` here. Models that aren't for chat are omitted. A model
 * with a price per request has no known price, because the prices of tokens don't include it.
 * @throws {SottoError} service/…
 */
export function listDirectModels(service: Service, options: CallOptions = {}): Promise<Listed<Model>> {
  return perform(
    service,
    {
      method: 'GET',
      target: { path: '/v1/models' },
      auth: 'none',
      repeatable: true,
      direct: true,
      read: async (response) => {
        const { entries, unreadable } = await readListing(response)
        const chat = entries.filter(
          ({ id, type }) => (type === undefined || type === 'chat') && id.length <= MAX_ID - PRIVATE.length,
        )
        return { entries: firstOfEach(chat).map((entry) => toDirectModel(entry)), unreadable }
      },
    },
    options,
  )
}

/** Returns the first entry of each ID. */
function firstOfEach(entries: readonly Entry[]): Entry[] {
  const ids = new Set<string>()
  return entries.filter(({ id }) => ids.size < ids.add(id).size)
}

function toDirectModel({ pricing, multimodal, ...entry }: Entry): Model {
  const { inputTokenPricePer1M: input, outputTokenPricePer1M: output, requestPrice = 0n } = pricing ?? {}
  const tokens =
    requestPrice === 0n && input !== undefined && output !== undefined
      ? { input_per_1M_tokens: input, output_per_1M_tokens: output }
      : undefined
  const model = toModel({ ...entry, type: 'chat', pricing: tokens })
  return {
    ...model,
    id: `${PRIVATE}${entry.id}`,
    private: true,
    ...(multimodal === true && { inputModalities: ['text', 'image'] }),
  }
}

/**
 * Lists the image and video models: `GET /v1/models?type=image,video`, or `GET /v1/media/models` in Revision
 * A (Versioning).
 * @throws {SottoError} service/…
 */
export function listMediaModels(service: Service, options: CallOptions = {}): Promise<Listed<Model>> {
  const { revision } = service.access()
  const request = revision === 'A' ? listing({ path: '/v1/media/models' }) : modelsRequest('image,video')
  return perform(service, request, options)
}

function toModel(entry: Entry): Model {
  const { pricing } = entry
  const inDollars = isUsd(pricing?.currency)
  const known = pricing === undefined || hasKnownPrices(pricing)
  const [input, output] = known
    ? [
        pricing?.input_per_1M_tokens ?? pricing?.api?.input_per_1M,
        pricing?.output_per_1M_tokens ?? pricing?.api?.output_per_1M,
      ]
    : []
  const webSearch = known ? pricing?.web_search : undefined
  const averageCost = inDollars ? (entry.average_cost ?? pricing?.average_cost) : undefined
  const promptsPerDollar = inDollars ? (entry.prompts_per_dollar ?? pricing?.prompts_per_dollar) : undefined
  const context = entry.context_length ?? entry.max_context
  const added = entry.created_at ?? entry.date_added ?? entry.created
  const provider = entry.provider ?? entry.owned_by
  const outputs =
    entry.architecture?.output_modalities?.entries ?? entry.architecture?.modality?.split('->')[1]?.split('+')
  const maxOutput =
    entry.max_output_tokens ?? entry.max_completion_tokens ?? entry.top_provider?.max_completion_tokens
  const mediaPrice = entry.type === 'image' || entry.type === 'video' ? readMediaPrice(pricing) : undefined
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    private: isPrivateModel(entry.id),
    ...(provider !== undefined && { provider }),
    ...(entry.type !== undefined && { type: entry.type }),
    ...(context !== undefined && { contextLength: context }),
    ...(added !== undefined && { addedAt: added }),
    ...(entry.description !== undefined && { description: entry.description }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(entry.architecture?.input_modalities && {
      inputModalities: entry.architecture.input_modalities.entries,
    }),
    ...(outputs && { outputModalities: outputs }),
    ...(entry.supported_parameters && { supportedParameters: entry.supported_parameters.entries }),
    ...(input !== undefined && { inputPerMillion: input.toString() }),
    ...(output !== undefined && { outputPerMillion: output.toString() }),
    ...(averageCost !== undefined && { averageCost: averageCost.toString() }),
    ...(promptsPerDollar !== undefined && { promptsPerDollar }),
    ...(webSearch !== undefined && { webSearch: webSearch.toString() }),
    ...(mediaPrice && { mediaPrice }),
  }
}

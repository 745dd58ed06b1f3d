import { picoPerSearch } from './chat/web-search.ts'
import { audioModels, audioPricing } from './audio/models.ts'
import { dollars } from './route/schemas.ts'
import { imageModels, imagePricing } from './image/models.ts'
import type { MediaModelFacts } from './media/generations.ts'
import type { Revision } from './sandbox.ts'
import { videoModels, videoPrice, videoPricing } from './video/models.ts'

type ModelType = 'chat' | 'embedding' | 'image' | 'video' | 'audio'

/** A model of the simulated service. Prices are integers: 10^-12 USD for one token. */
export interface SandboxModel {
  readonly id: string
  readonly name: string
  readonly type: ModelType
  readonly contextLength: number
  readonly input: readonly string[]
  readonly picoPerInputToken: bigint
  readonly picoPerOutputToken: bigint
  /** How the listing writes the prices: most do it one way, older entries another, and a router does not know. */
  readonly listing: 'current' | 'older' | 'router'
  readonly addedAt: number
  readonly popular: boolean
  /** Additional members of a request that the listing names. */
  readonly takes?: readonly string[]
  /**
   * For models that aren't paid by the token: the prices in the listing's format, and the usual price of
   * one request.
   */
  readonly media?: { readonly pricing: object; readonly typical: bigint }
}

const text = ['text']
const textAndImage = ['text', 'image']

function model(
  id: string,
  name: string,
  addedAt: string,
  contextLength: number,
  input: readonly string[],
  picoIn: bigint,
  picoOut: bigint,
  rest: Partial<SandboxModel> = {},
): SandboxModel {
  return {
    id,
    name,
    contextLength,
    input,
    type: 'chat',
    picoPerInputToken: picoIn,
    picoPerOutputToken: picoOut,
    listing: 'current',
    addedAt: Date.parse(addedAt),
    popular: false,
    ...rest,
  }
}

const privatePrefix = 'private/'

const sandboxModels: readonly SandboxModel[] = [
  model(
    'private/sandbox-whisper-70b',
    'Sandbox Whisper 70B',
    '2026-08-19',
    131_072,
    text,
    1_846_250n,
    2_901_250n,
    { popular: true },
  ),
  model('private/sandbox-lento-8b', 'Sandbox Lento 8B', '2026-05-04', 32_768, text, 158_250n, 316_500n, {
    takes: ['temperature', 'top_p', 'max_tokens', 'reasoning_effort'],
  }),
  model(
    'private/sandbox-veduta-30b',
    'Sandbox Veduta 30B Vision',
    '2026-09-02',
    65_536,
    textAndImage,
    527_500n,
    1_582_500n,
  ),
  model('sandbox/allegro-mini', 'Sandbox Allegro Mini', '2026-07-11', 128_000, text, 158_250n, 633_000n, {
    popular: true,
  }),
  model(
    'sandbox/andante-large',
    'Sandbox Andante Large',
    '2026-09-21',
    400_000,
    text,
    15_825_000n,
    79_125_000n,
    { popular: true },
  ),
  model(
    'sandbox/belvedere-vision',
    'Sandbox Belvedere Vision',
    '2026-06-30',
    200_000,
    textAndImage,
    3_165_000n,
    15_825_000n,
  ),
  model(
    'sandbox/ritornello-classic',
    'Sandbox Ritornello Classic',
    '2025-02-14',
    16_384,
    text,
    527_500n,
    1_055_000n,
    { listing: 'older' },
  ),
  model('sandbox/auto', 'Sandbox Auto', '2026-03-03', 128_000, text, 0n, 0n, { listing: 'router' }),
  model('sandbox/eco-embedding-small', 'Sandbox Eco Embedding', '2026-01-20', 8191, text, 22_000n, 0n, {
    type: 'embedding',
  }),
  model(
    'sandbox/eco-embedding-large',
    'Sandbox Eco Embedding Large',
    '2026-05-27',
    8191,
    text,
    143_000n,
    0n,
    { type: 'embedding' },
  ),
  ...imageModels.map((entry) => mediaModel('image', entry, imagePricing(entry), entry.base)),
  ...videoModels.map((entry) =>
    mediaModel(
      'video',
      entry,
      videoPricing(entry),
      videoPrice(entry, entry.durations[0], entry.qualities[0]),
    ),
  ),
  ...audioModels.map((entry) => mediaModel('audio', entry, audioPricing(entry), entry.picoPerUnit)),
]

function mediaModel(
  type: 'image' | 'video' | 'audio',
  entry: MediaModelFacts,
  pricing: object,
  typical: bigint,
): SandboxModel {
  return model(entry.id, entry.name, entry.addedAt, entry.contextLength, entry.input, 0n, 0n, {
    type,
    media: { pricing, typical },
  })
}

export function modelOf(id: string, type: ModelType): SandboxModel | undefined {
  return sandboxModels.find((entry) => entry.id === id && entry.type === type)
}

/** A chat model that is called in the open. The router answers with a model of its choice, at that model's price. */
export function publicChatModel(id: string): SandboxModel | undefined {
  const wanted = id === 'sandbox/auto' ? 'sandbox/allegro-mini' : id
  return sandboxModels.find((entry) => entry.id === wanted && entry.type === 'chat' && !isPrivate(entry.id))
}

/** A model inside the enclave. @param id without its prefix, as in the sealed body */
export function enclaveModel(id: string): SandboxModel | undefined {
  return sandboxModels.find((entry) => entry.id === privatePrefix + id)
}

export function isPrivate(id: string): boolean {
  return id.startsWith(privatePrefix)
}

/**
 * `GET /v1/models`. Revision A has no private models, and a separate listing for image and video models.
 * @param type the query: `all`, one type or a list with commas; without it the chat models that aren't
 * private
 * @param among the models to choose from
 */
export function listing(
  type: string | undefined,
  revision: Revision,
  among: (entry: SandboxModel) => boolean = () => true,
): object {
  const wanted = new Set((type ?? 'chat').split(',').map((part) => part.trim()))
  const listed = sandboxModels.filter((entry) => {
    if (revision === 'A' && (isPrivate(entry.id) || entry.type === 'image' || entry.type === 'video'))
      return false
    if (!among(entry)) return false
    return wanted.has('all') || (wanted.has(entry.type) && !isPrivate(entry.id))
  })
  return { object: 'list', data: listed.map(listingEntry) }
}

function listingEntry(entry: SandboxModel): object {
  return {
    id: entry.id,
    object: 'model',
    provider: 'Sotto Sandbox',
    name: entry.name,
    created_at: entry.addedAt,
    context_length: entry.contextLength,
    type: entry.type,
    popular: entry.popular,
    privacyLevel: isPrivate(entry.id) ? 'e2e' : 'anon',
    architecture: {
      modality: `${entry.input.join('+')}->${entry.type === 'chat' ? 'text' : entry.type}`,
      input_modalities: entry.input,
    },
    ...(entry.takes && { supported_parameters: entry.takes }),
    pricing: pricing(entry),
    ...(entry.media && {
      input_rate: 0,
      output_rate: 0,
      average_cost: dollars(entry.media.typical),
      prompts_per_dollar: Number(1_000_000_000_000n / entry.media.typical),
    }),
  }
}

/** A typical prompt, for the average that the listing shows. */
const typical = { input: 1000n, output: 500n }

function pricing(entry: SandboxModel): object {
  // One million tokens at 10^-12 USD each: the pico price of a token is the micro-USD price of a million.
  const input = Number(entry.picoPerInputToken) / 1e6
  const output = Number(entry.picoPerOutputToken) / 1e6
  if (entry.media) return entry.media.pricing
  if (entry.listing === 'router')
    return { currency: 'USD', input_per_1M_tokens: -1, output_per_1M_tokens: -1 }
  const average =
    Number(typical.input * entry.picoPerInputToken + typical.output * entry.picoPerOutputToken) / 1e12
  const averages = { average_cost: average, prompts_per_dollar: Math.floor(1 / average) }
  // Inside the enclave nothing is searched.
  const search =
    entry.type === 'chat' && !isPrivate(entry.id) ? { web_search: Number(picoPerSearch) / 1e12 } : {}
  return entry.listing === 'older'
    ? {
        api: { input_per_1M: input, output_per_1M: output },
        ui: { input_per_1M: input * 1.5, output_per_1M: output * 1.5 },
        ...search,
        ...averages,
      }
    : { currency: 'USD', input_per_1M_tokens: input, output_per_1M_tokens: output, ...search, ...averages }
}

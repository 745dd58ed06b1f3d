import type { Model } from '../../../shared/model.ts'
import { withoutTrailing } from '../../../shared/without-trailing.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'
import { isExactName } from '../../../shared/model-pattern.ts'
import type { Relay } from '../relay/index.ts'

/** How requests to a model are sent now: `privacy` of every listed model. */
export type ListedPrivacy = 'sealed' | 'relayed' | 'forwarded'

/** @param open how requests to models that aren't private are sent */
export function privacyOf({ private: sealed }: Model, open: 'relayed' | 'forwarded'): ListedPrivacy {
  return sealed ? 'sealed' : open
}

const PICO_DIGITS = 12
/** Converts a price of one million tokens in pico-USD to a price of one token in units of 10^-18 USD. */
const PER_TOKEN_DIGITS = PICO_DIGITS + 6

/**
 * Writes a model in OpenAI's shape, with the members of OpenRouter's listing (Models API) that the service
 * states. Members that it doesn't state are absent, except `created` and `owned_by`: OpenAI's shape requires
 * them, so they are 0 and "unknown".
 */
export function openAiModel(model: Model, privacy: ListedPrivacy): Record<string, unknown> {
  const { id, name, description, addedAt, provider, contextLength, maxOutput, type, supportedParameters } =
    model
  return {
    id,
    object: 'model',
    created: Math.floor((addedAt ?? 0) / 1000),
    owned_by: provider ?? 'unknown',
    name,
    ...present({
      description,
      context_length: contextLength,
      type,
      architecture: architectureOf(model),
      pricing: pricingOf(model),
      supported_parameters: supportedParameters,
      top_provider: filled({ context_length: contextLength, max_completion_tokens: maxOutput }),
    }),
    privacy,
  }
}

/**
 * Writes a model in Anthropic's shape. A date that the service doesn't state is the epoch, as in Anthropic's
 * reference.
 */
export function anthropicModel(
  { id, name, addedAt, contextLength, maxOutput }: Model,
  privacy: ListedPrivacy,
): Record<string, unknown> {
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(addedAt ?? 0).toISOString().replace('.000Z', 'Z'),
    ...present({ max_input_tokens: contextLength, max_tokens: maxOutput }),
    privacy,
  }
}

function architectureOf({ inputModalities, outputModalities }: Model): object | undefined {
  return filled({ input_modalities: inputModalities, output_modalities: outputModalities })
}

/**
 * Writes US dollars as exact decimals, by OpenRouter's names. A price that depends on the request has no
 * member.
 */
function pricingOf({
  inputPerMillion,
  outputPerMillion,
  webSearch,
  mediaPrice,
  type,
}: Model): object | undefined {
  const image = type === 'image' && mediaPrice?.tables.length === 0 ? mediaPrice.base : undefined
  return filled({
    prompt: usdText(inputPerMillion, PER_TOKEN_DIGITS),
    completion: usdText(outputPerMillion, PER_TOKEN_DIGITS),
    web_search: usdText(webSearch, PICO_DIGITS),
    image_output: usdText(image, PICO_DIGITS),
  })
}

/** Writes units of 10^-digits USD as a decimal, without trailing zeros. */
function usdText(amount: string | undefined, digits: number): string | undefined {
  if (amount === undefined) return undefined
  const text = amount.padStart(digits + 1, '0')
  const fraction = withoutTrailing('0', text.slice(-digits))
  return `${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`
}

function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function filled(members: Readonly<Record<string, unknown>>): object | undefined {
  const known = present(members)
  return Object.keys(known).length === 0 ? undefined : known
}

/**
 * Adds each alias without a `*` that names one of the models. It has all members of its model except the ID.
 * @throws {SottoError} service/…
 */
export async function withAliases(
  models: readonly Model[],
  limits: KeyLimits,
  relay: Pick<Relay, 'resolve'>,
): Promise<Model[]> {
  const byId = new Map(models.map((model) => [model.id, model]))
  const named = new Map<string, Model>()
  for (const { pattern } of limits.aliases ?? []) {
    if (!isExactName(pattern)) continue
    const model = byId.get(await relay.resolve(pattern, limits))
    if (model) named.set(pattern, { ...model, id: pattern })
  }
  return [...models.filter(({ id }) => !named.has(id)), ...named.values()]
}

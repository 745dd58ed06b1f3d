import { createHash } from 'node:crypto'
import type { KeyLimits } from '../../../shared/key-limits.ts'
import { allowsModel, findAlias, requireModel } from '../../../shared/model-pattern.ts'
import type { Model } from '../../../shared/model.ts'
import type { Relay } from '../relay/index.ts'
import { withAliases, privacyOf } from './listed-model.ts'

/** The architecture names the member with the context length. The service states no architecture. */
const ARCHITECTURE = 'unknown'
/** The tag of a name without a tag. Some clients add it. */
const LATEST = ':latest'
const REASONING = ['reasoning', 'reasoning_effort', 'include_reasoning', 'thinking']

type ChatPrivacy = ReturnType<Relay['plaintextChatPrivacy']>

type Listings = Pick<Relay, 'models' | 'listed' | 'resolve'>

/**
 * Lists the models for chat and for embeddings that a key may use, and the names of its aliases. If the
 * listing of embeddings is unavailable, those for chat are still listed.
 * @throws {SottoError} service/…
 */
export async function ollamaModels(relay: Listings, limits: KeyLimits): Promise<readonly Model[]> {
  const models = (await listedModels(relay)).filter(({ id }) => allowsModel(limits, id))
  return withAliases(models, limits, relay)
}

async function listedModels({ models, listed }: Listings): Promise<readonly Model[]> {
  const chat = (await models.all()).filter(({ type }) => type === undefined || type === 'chat')
  const embedding = await listed(['embedding']).catch(() => [])
  return [...chat, ...embedding]
}

/**
 * @returns the name without `:latest`, if only that name is listed or has an alias; otherwise the name
 * @throws {SottoError} service/…
 */
export async function knownName(relay: Listings, name: string, limits: KeyLimits): Promise<string> {
  const plain = name.slice(0, -LATEST.length)
  if (!name.endsWith(LATEST) || findAlias(limits, name)) return name
  const ids = new Set((await listedModels(relay)).map(({ id }) => id))
  return !ids.has(name) && (ids.has(plain) || findAlias(limits, plain)) ? plain : name
}

/** @throws {SottoError} model/unknown, auth/model-not-allowed, auth/private-only, service/… */
export async function findOllamaModel(relay: Listings, name: string, limits: KeyLimits): Promise<Model> {
  const id = await relay.resolve(await knownName(relay, name, limits), limits)
  requireModel(limits, id)
  return (
    (await listedModels(relay)).find((model) => model.id === id) ??
    (await relay.models.find(id, limits)).listed
  )
}

/**
 * Writes a model as `GET /api/tags` lists it. Members that only a local file has are empty or 0. The digest
 * is the hash of the ID. A date that the service doesn't state is the epoch.
 */
export function ollamaTag(model: Model, open: ChatPrivacy): Record<string, unknown> {
  const { id, addedAt } = model
  return {
    name: id,
    model: id,
    modified_at: new Date(addedAt ?? 0).toISOString(),
    size: 0,
    digest: createHash('sha256').update(id).digest('hex'),
    details: details(),
    privacy: privacyHere(model, open),
  }
}

/**
 * Writes a model as `POST /api/show` describes it: the members that clients read, and those that the service
 * states.
 */
export function ollamaShow(model: Model, open: ChatPrivacy): Record<string, unknown> {
  const { name, addedAt, contextLength } = model
  return {
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details: details(),
    model_info: {
      'general.architecture': ARCHITECTURE,
      'general.basename': name,
      ...(contextLength !== undefined && { [`${ARCHITECTURE}.context_length`]: contextLength }),
    },
    capabilities: capabilitiesOf(model),
    modified_at: new Date(addedAt ?? 0).toISOString(),
    privacy: privacyHere(model, open),
  }
}

/** The service can read every text for embeddings. */
function privacyHere(model: Model, open: ChatPrivacy): string {
  return privacyOf(model, model.type === 'embedding' ? 'forwarded' : open)
}

function details(): object {
  return {
    parent_model: '',
    format: '',
    family: '',
    families: [],
    parameter_size: '',
    quantization_level: '',
  }
}

function capabilitiesOf({ type, supportedParameters = [], inputModalities = [] }: Model): string[] {
  if (type === 'embedding') return ['embedding']
  return [
    'completion',
    ...(supportedParameters.includes('tools') ? ['tools'] : []),
    ...(inputModalities.includes('image') ? ['vision'] : []),
    ...(REASONING.some((name) => supportedParameters.includes(name)) ? ['thinking'] : []),
  ]
}

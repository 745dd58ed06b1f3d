import { createHash } from 'node:crypto'
import { allowsModel, requireModel, type AllowedModels } from '../../shared/model-pattern.ts'
import type { Model } from '../../shared/model.ts'
import type { Relay } from '../relay/index.ts'
import { privacyOf } from './listed-model.ts'

/** A local model's architecture names its context length; the listing states none. */
const ARCHITECTURE = 'unknown'
/** The tag of a name without one. Some clients add it. */
const LATEST = ':latest'
const REASONING = ['reasoning', 'reasoning_effort', 'include_reasoning', 'thinking']

type ChatPrivacy = ReturnType<Relay['openChatPrivacy']>

/** The models for chat and for embeddings that a key may use. An unavailable listing of embeddings hides no model for chat. Throws service/…. */
export async function ollamaModels({ models, listed }: Pick<Relay, 'models' | 'listed'>, allowed: AllowedModels): Promise<readonly Model[]> {
  const chat = (await models.all()).filter(({ type }) => type === undefined || type === 'chat')
  const embedding = await listed(['embedding']).catch(() => [])
  return [...chat, ...embedding].filter(({ id }) => allowsModel(allowed, id))
}

/** @returns the listed name of a model: without `:latest` if only that is listed, and as it is if neither is. Throws service/…. */
export async function listedName(relay: Pick<Relay, 'models' | 'listed'>, name: string): Promise<string> {
  if (!name.endsWith(LATEST)) return name
  const ids = new Set((await ollamaModels(relay, {})).map(({ id }) => id))
  const plain = name.slice(0, -LATEST.length)
  return !ids.has(name) && ids.has(plain) ? plain : name
}

/** Throws model/unknown, proxy/key-model, proxy/key-private-only, service/…. */
export async function findOllamaModel(relay: Pick<Relay, 'models' | 'listed'>, name: string, allowed: AllowedModels): Promise<Model> {
  const id = await listedName(relay, name)
  requireModel(allowed, id)
  return (await ollamaModels(relay, allowed)).find((model) => model.id === id) ?? (await relay.models.find(id, allowed)).listed
}

/**
 * A model as `GET /api/tags` lists it. Members that only a local file has are empty or 0; the digest is the hash of the ID. A date that the
 * service doesn't state is the epoch.
 */
export function ollamaTag(model: Model, open: ChatPrivacy): Record<string, unknown> {
  const { id, addedAt } = model
  return { name: id, model: id, modified_at: new Date(addedAt ?? 0).toISOString(), size: 0, digest: createHash('sha256').update(id).digest('hex'), details: details(), privacy: privacyHere(model, open) }
}

/** A model as `POST /api/show` describes it: the members that callers read, and those that the listing states. */
export function ollamaShow(model: Model, open: ChatPrivacy): Record<string, unknown> {
  const { name, addedAt, contextLength } = model
  return {
    license: '', modelfile: '', parameters: '', template: '', details: details(),
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

/** The service reads every text to embed. */
function privacyHere(model: Model, open: ChatPrivacy): string {
  return privacyOf(model, model.type === 'embedding' ? 'forwarded' : open)
}

function details(): object {
  return { parent_model: '', format: '', family: '', families: [], parameter_size: '', quantization_level: '' }
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

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SottoError } from '../../shared/errors.ts'
import { allowsModel, requireModel } from '../../shared/model-pattern.ts'
import type { Model } from '../../shared/model.ts'
import { queryOf } from './request-heads.ts'
import { limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

/**
 * `GET /v1/models` and `GET /v1/models/{id}` in OpenAI's shape: what the key may use, and how each would travel. With `type`
 * (specification, Models) a part of it, such as `embedding` or `image,video`; `GET /v1/media/models` is that part in Revision A.
 */
export function registerModels(server: FastifyInstance, { backend }: RouteContext): void {
  for (const prefix of PREFIXES) {
    const list = async (request: FastifyRequest, types: readonly string[] | null): Promise<object> => {
      const { relay } = backend()
      const models = types ? await relay.listed(types) : await relay.models.all()
      return { object: 'list', data: models.filter(({ id }) => allowsModel(limitsOf(request), id)).map((model) => toOpenAiModel(model, types ? 'forwarded' : relay.openChatPrivacy())) }
    }
    server.get(`${prefix}/models`, (request) => list(request, typesOf(queryOf(request.raw))))
    server.get(`${prefix}/media/models`, (request) => list(request, ['image', 'video']))
    server.get<{ Params: { '*': string } }>(`${prefix}/models/*`, async (request) => {
      const id = request.params['*']
      requireModel(limitsOf(request), id)
      const { relay } = backend()
      return toOpenAiModel((await relay.models.find(id, limitsOf(request))).listed, relay.openChatPrivacy())
    })
  }
}

/** Null for all of them. */
function typesOf({ type }: Record<string, string>): string[] | null {
  if (type === undefined || type === 'all') return null
  if (!/^[a-z_-]{1,30}(?:,[a-z_-]{1,30}){0,9}$/.test(type)) throw new SottoError('proxy/invalid-request', { toolDetail: 'It must be a type such as "embedding", or up to 10 types separated by commas.', param: 'type' })
  const types = type.split(',')
  return types.includes('all') ? null : types
}

/** @param open how a model that isn't private is asked */
function toOpenAiModel(model: Model, open: 'relayed' | 'forwarded'): Record<string, unknown> {
  return {
    id: model.id,
    object: 'model',
    created: createdSeconds(model.addedAt),
    owned_by: model.provider ?? 'unknown',
    ...(model.contextLength !== undefined && { context_length: model.contextLength }),
    ...(model.type !== undefined && { type: model.type }),
    privacy: model.private ? 'sealed' : open,
  }
}

/** Listings have been seen in seconds and in milliseconds; OpenAI's `created` is in seconds. */
function createdSeconds(addedAt: number | undefined): number {
  if (addedAt === undefined) return 0
  return Math.floor(addedAt > 1e11 ? addedAt / 1000 : addedAt)
}

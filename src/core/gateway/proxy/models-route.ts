import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SottoError } from '../../../shared/errors.ts'
import { allowsModel, requireModel } from '../../../shared/model-pattern.ts'
import type { Model } from '../../../shared/model.ts'
import { withAliases, anthropicModel, openAiModel, privacyOf } from './listed-model.ts'
import { modelHeader } from './answer-headers.ts'
import { callerShape } from './errors.ts'
import { queryOf } from './request-heads.ts'
import { limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

const DEFAULT_PAGE = 20
const MAX_PAGE = 1000

/**
 * Registers `GET /v1/models` and `GET /v1/models/{id}`: the models that the key may use, and how requests to
 * each are sent. An alias without a `*` is listed too, with all members of its model except the ID. The shape
 * is OpenAI's, or Anthropic's for callers that send `anthropic-version`. `type` (specification, Models)
 * filters the list, such as `embedding` or `image,video`. `GET /v1/media/models` is the media part in
 * Revision A.
 */
export function registerModels(server: FastifyInstance, { backend }: RouteContext): void {
  const list = async (
    request: FastifyRequest,
    query: Record<string, string>,
    types: readonly string[] | null,
  ): Promise<object> => {
    const { relay } = backend()
    const limits = limitsOf(request)
    const models = await withAliases(
      (types ? await relay.listed(types) : await relay.models.all()).filter(({ id }) =>
        allowsModel(limits, id),
      ),
      limits,
      relay,
    )
    const open = types ? 'forwarded' : relay.plaintextChatPrivacy()
    if (callerShape(request.raw) === 'messages') return pageOf(models, query, open)
    return { object: 'list', data: models.map((model) => openAiModel(model, privacyOf(model, open))) }
  }
  for (const prefix of PREFIXES) {
    server.get(`${prefix}/models`, (request) => {
      const query = queryOf(request.raw)
      return list(request, query, typesOf(query))
    })
    server.get(`${prefix}/media/models`, (request) => list(request, queryOf(request.raw), ['image', 'video']))
    server.get<{ Params: { '*': string } }>(`${prefix}/models/*`, async (request, reply) => {
      const name = request.params['*']
      const { relay } = backend()
      const id = await relay.resolve(name, limitsOf(request))
      requireModel(limitsOf(request), id)
      const { listed } = await relay.models.find(id, limitsOf(request))
      reply.headers(modelHeader(id))
      return (callerShape(request.raw) === 'messages' ? anthropicModel : openAiModel)(
        { ...listed, id: name },
        privacyOf(listed, relay.plaintextChatPrivacy()),
      )
    })
  }
}

/** Returns the requested types; null for all. */
function typesOf({ type }: Record<string, string>): string[] | null {
  if (type === undefined || type === 'all') return null
  if (!/^[a-z_-]{1,30}(?:,[a-z_-]{1,30}){0,9}$/.test(type))
    throw new SottoError('proxy/invalid-request', {
      toolDetail: 'It must be a type such as "embedding", or up to 10 types separated by commas.',
      param: 'type',
    })
  const types = type.split(',')
  return types.includes('all') ? null : types
}

/**
 * Returns one page of Anthropic's list: the models after `after_id`, or those before `before_id`.
 * @throws {SottoError} proxy/invalid-request – a limit outside 1 to 1000, both cursors, or a cursor that
 * isn't listed
 */
function pageOf(
  models: readonly Model[],
  query: Record<string, string>,
  open: 'relayed' | 'forwarded',
): object {
  const limit = limitIn(query)
  const [after, before] = [placeOf('after_id', models, query), placeOf('before_id', models, query)]
  if (after !== undefined && before !== undefined)
    throw new SottoError('proxy/invalid-request', {
      toolDetail: 'Send either "after_id" or "before_id".',
      param: 'before_id',
    })
  const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - limit)
  const page = models.slice(start, before ?? start + limit)
  return {
    data: page.map((model) => anthropicModel(model, privacyOf(model, open))),
    has_more: before === undefined ? start + limit < models.length : start > 0,
    first_id: page.at(0)?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

function limitIn({ limit }: Record<string, string>): number {
  if (limit === undefined) return DEFAULT_PAGE
  const most = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (most < 1 || most > MAX_PAGE)
    throw new SottoError('proxy/invalid-request', {
      toolDetail: `It must be a number from 1 to ${String(MAX_PAGE)}.`,
      param: 'limit',
    })
  return most
}

function placeOf(
  param: 'after_id' | 'before_id',
  models: readonly Model[],
  { [param]: id }: Record<string, string>,
): number | undefined {
  if (id === undefined) return undefined
  const place = models.findIndex((model) => model.id === id)
  if (place < 0)
    throw new SottoError('proxy/invalid-request', {
      toolDetail: 'It must be the ID of a listed model.',
      param,
    })
  return place
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { responseId, translateResponses } from '../dialect/responses/index.ts'
import type { Translated } from '../dialect/dialect.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { serveTranslated } from './dialect-route.ts'
import { listInputItems } from './input-items.ts'
import type { ResponseCache } from './response-cache.ts'
import { withJsonBody } from './read-body.ts'
import { queryOf } from './request-heads.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

const config = { dialect: 'openai' } as const

interface ById {
  Params: { id: string }
}

/**
 * Registers OpenAI's `/v1/responses`, based on chat completions. Sotto caches responses in memory for the
 * local key that created them.
 */
export function registerResponses(server: FastifyInstance, context: RouteContext): void {
  const cache = (): ResponseCache => context.backend().responses
  for (const prefix of PREFIXES) {
    const path = `${prefix}/responses`
    server.post(path, { config }, (request, reply) =>
      serveTranslated(context, request, reply, (body) => translateAndCache(cache(), keyOf(request), body)),
    )
    server.get(path, { config, exposeHeadRoute: false }, () => {
      throw new SottoError('dialect/unsupported', {
        toolDetail:
          'Sotto does not support the WebSocket mode of the Responses API, and does not list responses. Send POST /v1/responses.',
      })
    })
    server.get<ById>(`${path}/:id`, { config }, (request, reply) => {
      refuseStream(queryOf(request.raw))
      return json(reply, cache().retrieve(keyOf(request), request.params.id))
    })
    server.delete<ById>(`${path}/:id`, { config }, (request) => {
      cache().delete(keyOf(request), request.params.id)
      return { id: request.params.id, object: 'response', deleted: true }
    })
    server.get<ById>(`${path}/:id/input_items`, { config }, (request, reply) =>
      json(
        reply,
        listInputItems(cache().inputItems(keyOf(request), request.params.id), queryOf(request.raw)),
      ),
    )
    server.post<ById>(
      `${path}/:id/cancel`,
      { config: { ...config, accepts: 'anything', free: true } },
      async (request, reply) => {
        await withJsonBody(request.raw, context.bodies, () => undefined, {})
        return json(reply, await cache().cancel(keyOf(request), request.params.id))
      },
    )
    server.all(`${path}/*`, { config }, () => {
      throw new SottoError('dialect/unsupported', {
        toolDetail:
          'Sotto supports only the paths /{id}, /{id}/input_items and /{id}/cancel below /v1/responses.',
      })
    })
  }
}

/** Translates a request and caches its response, unless the caller sent `store: false`. */
function translateAndCache(responses: ResponseCache, keyId: string, body: JsonObject): Translated {
  const translated = translateResponses(body, responses.earlier(keyId))
  if (!translated.store) return translated
  const { epoch } = responses
  const cancelling = new AbortController()
  return {
    ...translated,
    cancelled: cancelling.signal,
    answer: (facts) => {
      const id = responseId(facts)
      responses.begin({
        id,
        keyId,
        epoch,
        privacy: facts.privacy,
        context: translated.contextFor(facts.id),
        cancelling,
      })
      return translated.answer(facts, updating(responses, id))
    },
  }
}

/**
 * Created in its own function, because a closure in the caller's scope would keep the whole request in
 * memory.
 */
function updating(responses: ResponseCache, id: string): (response: JsonObject) => void {
  return (response) => responses.update(id, response)
}

/**
 * @throws {SottoError} dialect/unsupported – the events of a cached response are requested, and events aren't
 * cached
 */
function refuseStream({ stream, starting_after: after }: Record<string, string>): void {
  if (after !== undefined || (stream !== undefined && stream !== 'false'))
    throw new SottoError('dialect/unsupported', {
      param: after === undefined ? 'stream' : 'starting_after',
      toolDetail: 'Sotto stores responses and not their events.',
    })
}

/** Every path here needs a key. */
function keyOf({ localKey }: Pick<FastifyRequest, 'localKey'>): string {
  if (!localKey) throw new SottoError('auth/missing-api-key')
  return localKey.id
}

function json(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { translateMessages, translateTokenCount } from '../dialect/messages/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import { requireModel } from '../../../shared/model-pattern.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { countChatTokens } from '../tokens/chat.ts'
import { modelHeader } from './answer-headers.ts'
import { serveTranslated } from './dialect-route.ts'
import { refuseModelOutsideBody, withJsonBody } from './read-body.ts'
import { limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

const config = { dialect: 'messages' } as const

/** Registers Anthropic's `POST /v1/messages` and `/v1/messages/count_tokens`, based on chat completions. */
export function registerMessages(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/messages`, { config }, (request, reply) =>
      serveTranslated(context, request, reply, translateMessages),
    )
    server.post(`${prefix}/messages/count_tokens`, { config }, (request, reply) =>
      countTokens(context, request, reply),
    )
    server.all(`${prefix}/messages/*`, { config }, () => {
      throw new SottoError('dialect/unsupported', { toolDetail: 'Sotto does not support message batches.' })
    })
  }
}

/** Counts on this computer and sends nothing (see `countChatTokens`). */
function countTokens(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ input_tokens: number }> {
  return withJsonBody(request.raw, context.bodies, (body) => {
    refuseModelOutsideBody(request.raw)
    return countTokensOf(context, request, reply, translateTokenCount(body))
  })
}

async function countTokensOf(
  { backend }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: JsonObject,
): Promise<{ input_tokens: number }> {
  const { relay, tokenCounter } = backend()
  if (typeof body['model'] === 'string') {
    const id = await relay.resolve(body['model'], limitsOf(request))
    requireModel(limitsOf(request), id)
    await relay.models.find(id, limitsOf(request))
    reply.headers(modelHeader(id))
  }
  const tokens = await countChatTokens(body, tokenCounter)
  if (tokens === null)
    throw new SottoError('dialect/unsupported', {
      param: 'messages',
      toolDetail: 'Sotto cannot count the tokens of a file.',
    })
  return { input_tokens: tokens }
}

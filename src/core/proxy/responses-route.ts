import type { FastifyInstance } from 'fastify'
import { translateResponses } from '../dialect/responses/index.ts'
import { SottoError } from '../../shared/errors.ts'
import { serveTranslated } from './dialect-route.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

const config = { dialect: 'openai' } as const

/** OpenAI's `POST /v1/responses`, over chat completions. No Response is kept, so there is none to ask for by its id. */
export function registerResponses(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/responses`, { config }, (request, reply) => serveTranslated(context, request, reply, translateResponses))
    server.all(`${prefix}/responses/*`, { config }, () => {
      throw new SottoError('dialect/unsupported', { toolDetail: 'Sotto does not store responses, so none can be read or changed by its ID.' })
    })
  }
}

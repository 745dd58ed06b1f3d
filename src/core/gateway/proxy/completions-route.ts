import type { FastifyInstance } from 'fastify'
import { translateCompletions } from '../dialect/completions/index.ts'
import { serveTranslated } from './dialect-route.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

const config = { dialect: 'openai' } as const

/** Registers OpenAI's `POST /v1/completions` (legacy), based on chat completions. */
export function registerCompletions(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES)
    server.post(`${prefix}/completions`, { config }, (request, reply) =>
      serveTranslated(context, request, reply, translateCompletions),
    )
}

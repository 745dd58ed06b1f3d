import type { FastifyInstance } from 'fastify'
import { serveJson, serveLook, serveOpen } from './plaintext-answer.ts'
import { queryOf } from './request-heads.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

interface Below {
  Params: { '*': string }
}

/**
 * Registers `GET /v1/data/endpoints`, and each listed endpoint with its own path and method (specification,
 * Data enrichment).
 */
export function registerData(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.get(`${prefix}/data/endpoints`, async (request, reply) =>
      serveLook(context, request, reply, { at: 'data/endpoints', query: queryOf(request.raw) }),
    )
    server.get<Below>(
      `${prefix}/data/*`,
      { config: { paid: true }, exposeHeadRoute: false },
      (request, reply) => {
        const startedAt = performance.now()
        return serveOpen(
          context,
          request,
          reply,
          {
            ask: {
              endpoint: 'data',
              method: 'GET',
              path: `/${request.params['*']}`,
              input: queryOf(request.raw),
            },
          },
          startedAt,
        )
      },
    )
    server.post<Below>(`${prefix}/data/*`, (request, reply) =>
      serveJson(context, request, reply, (input) => ({
        ask: { endpoint: 'data', method: 'POST', path: `/${request.params['*']}`, input },
      })),
    )
  }
}

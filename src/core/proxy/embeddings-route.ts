import type { FastifyInstance } from 'fastify'
import { serveOpen } from './open-answer.ts'
import { parseBody } from './parse-body.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** `POST /v1/embeddings` (specification, Embeddings). */
export function registerEmbeddings(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/embeddings`, (request, reply) => {
      const startedAt = performance.now()
      return serveOpen(context, request, reply, { endpoint: 'embeddings', body: parseBody(request.body) }, startedAt)
    })
  }
}

import type { FastifyInstance } from 'fastify'
import { serveJson } from './plaintext-answer.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** Registers `POST /v1/embeddings` (specification, Embeddings). */
export function registerEmbeddings(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/embeddings`, (request, reply) =>
      serveJson(context, request, reply, (body) => ({ ask: { endpoint: 'embeddings', body } })),
    )
  }
}

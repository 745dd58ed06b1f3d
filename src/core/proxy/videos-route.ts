import type { FastifyInstance } from 'fastify'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { serveLook, serveJson } from './open-answer.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/**
 * `POST /v1/videos`, and `GET /v1/videos/{id}` for how far a job is (specification, Videos). Whoever knows a job's id may
 * ask about it with any local key: ids are random, and no path lists them.
 */
export function registerVideos(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/videos`, (request, reply) => serveJson(context, request, reply, (body) => ({ endpoint: 'videos', body })))
    server.get<{ Params: { id: string } }>(`${prefix}/videos/:id`, async (request, reply) => {
      refuseModelOutsideBody(request.raw)
      return serveLook(context, request, reply, { at: 'videos', id: request.params.id })
    })
  }
}

import type { FastifyInstance } from 'fastify'
import { serveForm } from './form-request.ts'
import { serveLook, serveJson } from './open-answer.ts'
import { queryOf } from './request-heads.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** Speech, transcriptions, and what there is of voices and models (specification, Audio). */
export function registerAudio(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/audio/speech`, (request, reply) => serveJson(context, request, reply, (body) => ({ endpoint: 'audio/speech', body })))
    server.post(`${prefix}/audio/transcriptions`, { config: { accepts: 'multipart' } }, (request, reply) => serveForm(context, request, reply, 'audio/transcriptions', { files: ['file'], mostFiles: 1 }))
    for (const at of ['audio/voices', 'audio/models'] as const) {
      server.get(`${prefix}/${at}`, async (request, reply) => serveLook(context, request, reply, { at, query: queryOf(request.raw) }))
    }
  }
}

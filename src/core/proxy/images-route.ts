import type { FastifyInstance } from 'fastify'
import type { FormRules } from './form.ts'
import { serveForm } from './form-request.ts'
import { serveOpen } from './open-answer.ts'
import { parseBody } from './parse-body.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** One image, or a list of them, and what of it is to be changed. */
const EDIT_FILES: FormRules = { files: ['image', 'image[]', 'mask'], mostFiles: 16 }

/**
 * `POST /v1/images/generations`, which also enlarges and removes backgrounds where its model does, and
 * `POST /v1/images/edits` (specification, Images).
 */
export function registerImages(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/images/generations`, (request, reply) => {
      const startedAt = performance.now()
      return serveOpen(context, request, reply, { endpoint: 'images/generations', body: parseBody(request.body) }, startedAt)
    })
    server.post(`${prefix}/images/edits`, { config: { accepts: 'multipart' } }, (request, reply) => serveForm(context, request, reply, 'images/edits', EDIT_FILES))
  }
}

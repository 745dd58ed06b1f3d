import type { FastifyInstance } from 'fastify'
import type { FormRules } from './form.ts'
import { serveForm } from './form-request.ts'
import { serveJson } from './open-answer.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** One image, or a list of them, and what of it is to be changed. */
const EDIT_FILES: FormRules = { files: ['image', 'image[]', 'mask'], mostFiles: 16 }

/**
 * `POST /v1/images/generations`, which also enlarges and removes backgrounds where its model does, and
 * `POST /v1/images/edits` (specification, Images).
 */
export function registerImages(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/images/generations`, (request, reply) => serveJson(context, request, reply, (body) => ({ endpoint: 'images/generations', body })))
    server.post(`${prefix}/images/edits`, { config: { accepts: 'multipart' } }, (request, reply) => serveForm(context, request, reply, 'images/edits', EDIT_FILES))
  }
}

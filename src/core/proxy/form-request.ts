import type { FastifyReply, FastifyRequest } from 'fastify'
import { readForm, type FormRules } from './form.ts'
import { serveOpen } from './open-answer.ts'
import type { RouteContext } from './route-context.ts'

/** Reads a form to its end, and sends it where nothing speaks against it. Throws as readForm, and what is refused before it is sent. */
export async function serveForm(context: RouteContext, request: FastifyRequest, reply: FastifyReply, endpoint: 'images/edits' | 'audio/transcriptions', rules: FormRules): Promise<FastifyReply> {
  const { raw, headers } = request
  // A refusal is answered on the same connection.
  await using form = await readForm(raw.iterator({ destroyOnReturn: false }), headers['content-type'] ?? '', rules, context.backend().spool)
  return await serveOpen(context, request, reply, { endpoint, form }, performance.now())
}

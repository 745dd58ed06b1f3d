import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlaintextForm } from '../relay/index.ts'
import { readForm, type FormRules } from './form.ts'
import { serveOpen, type MediaCall } from './plaintext-answer.ts'
import { announcedBytes, MAX_BODY_BYTES, readPieces } from './read-body.ts'
import type { RouteContext } from './route-context.ts'

/**
 * Reads a form to its end, and sends the request that `callOf` builds from it.
 * @throws the errors of readForm and of relay.open
 */
export async function serveForm(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: FormRules,
  callOf: (form: PlaintextForm) => MediaCall | Promise<MediaCall>,
): Promise<FastifyReply> {
  const { raw, headers } = request
  // Files are spooled on the disk. A purchase reads them into memory before sending, so they all count.
  using counted = context.bodies.begin(announcedBytes(raw), MAX_BODY_BYTES)
  await using form = await readForm(
    readPieces(raw, counted),
    headers['content-type'] ?? '',
    rules,
    context.backend().spool,
  )
  return await serveOpen(context, request, reply, await callOf(form), performance.now())
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Translated } from '../dialect/dialect.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { answerHeaders } from './answer-headers.ts'
import { callerGone } from './caller.ts'
import { streamAnswer, wholeAnswer } from './dialect-answer.ts'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { parseBody } from './parse-body.ts'
import { callerOf, limitsOf, type RouteContext } from './route-context.ts'
import { StreamedBody } from './streamed-body.ts'

/** The body of a request in another dialect. Throws proxy/…, privacy/path. */
export function dialectBody(request: FastifyRequest): JsonObject {
  const body = parseBody(request.body)
  refuseModelOutsideBody(request.raw)
  return body
}

/** A chat completion in another dialect. It takes the same way out as any, so a private model is sealed or refused. */
export async function serveTranslated(
  { backend, mark, now }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { translate, requestIdHeader }: { translate: (body: JsonObject) => Translated; requestIdHeader: string },
): Promise<FastifyReply> {
  const startedAt = performance.now()
  const translated = translate(dialectBody(request))
  const gone = callerGone(request.raw, reply.raw)
  const answer = await backend().relay.chat({ body: translated.body, caller: callerOf(request), allowed: limitsOf(request), signal: gone, startedAt })
  const writer = translated.answer({ id: answer.receiptId.replaceAll('-', ''), createdAt: Math.floor(now() / 1000) })
  const headers = {
    ...answerHeaders(answer, mark),
    [requestIdHeader]: answer.receiptId,
    ...(translated.ignored.length > 0 && { 'x-sotto-ignored': translated.ignored.join(', ') }),
  }
  if (translated.body['stream'] !== true) return reply.headers(headers).send(await wholeAnswer(answer, writer))
  reply.hijack()
  const events = new StreamedBody(reply.raw, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
  // The answer is on its way: what is first said may take a while.
  reply.raw.flushHeaders()
  await streamAnswer(answer, writer, { response: reply.raw, events }, gone)
  return reply
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerWriter, Translated } from '../dialect/dialect.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { RelayAnswer } from '../relay/index.ts'
import { answerHeaders } from './answer-headers.ts'
import { callerGone } from './caller.ts'
import { streamAnswer, wholeAnswer } from './dialect-answer.ts'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { MAX_BODY_BYTES, withJsonBody } from './read-body.ts'
import { callerOf, limitsOf, type RouteContext } from './route-context.ts'
import { StreamedBody } from './streamed-body.ts'

/** A chat completion in another dialect. It takes the same way out as any, so a private model is sealed or refused. */
export async function serveTranslated(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  translate: (body: JsonObject) => Translated,
): Promise<FastifyReply> {
  const { answer, writer, ignored, streams, gone } = await withJsonBody(request.raw, context.bodies, (body) => sendTranslated(context, request, reply, translate, body))
  const headers = {
    ...answerHeaders(answer, context.mark),
    ...(ignored.length > 0 && { 'x-sotto-ignored': ignored.join(', ') }),
  }
  if (!streams) return reply.headers(headers).send(await wholeAnswer(answer, writer))
  reply.hijack()
  const events = new StreamedBody(reply.raw, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
  // The answer is on its way: what is first said may take a while.
  reply.raw.flushHeaders()
  await streamAnswer(answer, writer, { response: reply.raw, events }, gone)
  return reply
}

interface SentTranslated {
  readonly answer: RelayAnswer
  readonly writer: AnswerWriter
  readonly ignored: readonly string[]
  readonly streams: boolean
  readonly gone: AbortSignal
}

async function sendTranslated({ backend, bodies, now }: RouteContext, request: FastifyRequest, reply: FastifyReply, translate: (body: JsonObject) => Translated, body: JsonObject): Promise<SentTranslated> {
  const startedAt = performance.now()
  refuseModelOutsideBody(request.raw)
  const translated = translate(body)
  const { earlier, cancelled } = translated
  // Until the request was sent, earlier responses take memory as a part of its body would.
  using counted = bodies.begin(earlier?.bytes, MAX_BODY_BYTES)
  counted.add(earlier?.bytes ?? 0)
  const left = callerGone(request.raw, reply.raw)
  const gone = cancelled ? AbortSignal.any([left, cancelled]) : left
  const answer = await backend().relay.chat({ body: translated.body, caller: callerOf(request), allowed: limitsOf(request), earlier: earlier?.privacy, signal: gone, startedAt })
  const writer = translated.answer({ id: answer.receiptId.replaceAll('-', ''), createdAt: Math.floor(now() / 1000), privacy: answer.privacy })
  return { answer, writer, ignored: translated.ignored, streams: translated.body['stream'] === true, gone }
}

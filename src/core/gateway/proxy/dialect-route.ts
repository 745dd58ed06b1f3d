import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_STREAM, type AnswerWriter, type Translated } from '../dialect/dialect.ts'
import type { CountedBody } from '../../../shared/body-budget.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { ChatRequest, RelayAnswer } from '../relay/index.ts'
import { answerHeaders, ignoredHeader } from './answer-headers.ts'
import { callerGone } from './caller.ts'
import { streamAnswer, wholeAnswer } from './dialect-answer.ts'
import { refuseModelOutsideBody, MAX_BODY_BYTES, withJsonBody } from './read-body.ts'
import { callerOf, limitsOf, sendKeyChat, type RouteContext } from './route-context.ts'
import { StreamedBody } from './streamed-body.ts'

/** An answer that Sotto gives without a request to the service. */
export interface Answered {
  readonly reply: JsonObject
}

type Translate = (body: JsonObject) => Translated | Answered | Promise<Translated | Answered>

/**
 * Serves a chat completion in another dialect. The request takes the same way as any chat completion, so a
 * private model is sealed or refused.
 */
export async function serveTranslated(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  translate: Translate,
): Promise<FastifyReply> {
  const sent = await withJsonBody(request.raw, context.bodies, (body, counted) =>
    sendTranslated(context, request, reply, translate, { body, counted }),
  )
  if ('reply' in sent) return reply.send(sent.reply)
  const { answer, writer, ignored, streamType, gone } = sent
  const headers = { ...answerHeaders(answer, context.mark), ...ignoredHeader(ignored) }
  if (streamType === undefined) return reply.headers(headers).send(await wholeAnswer(answer, writer))
  reply.hijack()
  const events = new StreamedBody(reply.raw, { ...headers, 'content-type': streamType })
  // The first text may take a while, so the head doesn't wait for it.
  reply.raw.flushHeaders()
  await streamAnswer(answer, writer, { response: reply.raw, events }, gone)
  return reply
}

interface SentTranslated {
  readonly answer: RelayAnswer
  readonly writer: AnswerWriter
  readonly ignored: readonly string[]
  /** Undefined if the caller requested one piece. */
  readonly streamType: string | undefined
  readonly gone: AbortSignal
}

async function sendTranslated(
  { backend, bodies, now }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  translate: Translate,
  { body, counted }: { readonly body: JsonObject; readonly counted: CountedBody },
): Promise<SentTranslated | Answered> {
  const startedAt = performance.now()
  refuseModelOutsideBody(request.raw)
  const translated = await translate(body)
  if ('reply' in translated) return translated
  const { earlier, cancelled, ignored, streamType = EVENT_STREAM } = translated
  // Until the request is sent, earlier responses use memory like a part of its body.
  using countedEarlier = bodies.begin(earlier?.bytes, MAX_BODY_BYTES)
  countedEarlier.add(earlier?.bytes ?? 0)
  const left = callerGone(request.raw, reply.raw)
  const gone = cancelled ? AbortSignal.any([left, cancelled]) : left
  const chat: ChatRequest = {
    body: translated.body,
    caller: callerOf(request),
    allowed: limitsOf(request),
    earlier: earlier?.privacy,
    signal: gone,
    startedAt,
  }
  const answer =
    translated.hasServerTools === true
      ? await sendKeyChat(backend(), request, chat, [counted, countedEarlier])
      : await backend().relay.chat(chat)
  const writer = translated.answer({
    id: answer.receiptId.replaceAll('-', ''),
    createdAt: Math.floor(now() / 1000),
    privacy: answer.privacy,
    elapsedMs: () => performance.now() - startedAt,
  })
  return {
    answer,
    writer,
    ignored,
    streamType: translated.body['stream'] === true ? streamType : undefined,
    gone,
  }
}

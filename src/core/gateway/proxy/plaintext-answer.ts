import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { PlaintextAnswer, PlaintextAsk, FreeLookup } from '../relay/index.ts'
import { answerHeaders, PLAIN_HEADERS, requestIdHeaders } from './answer-headers.ts'
import { callerGone, drained } from './caller.ts'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { withJsonBody } from './read-body.ts'
import { callerOf, limitsOf, type RouteContext } from './route-context.ts'

/** One paid request of a tool, and how its answer is written. */
export interface MediaCall {
  readonly ask: PlaintextAsk
  /** Members of the request that change nothing. */
  readonly ignored?: readonly string[]
  /** Writes the service's answer in the form that the tool wants; absent if the bytes are passed on as they came. @param gone aborts when the caller goes away */
  readonly write?: (answer: PlaintextAnswer, gone: AbortSignal) => WrittenAnswer | Promise<WrittenAnswer>
}

/** An answer as it goes to a tool. */
export interface WrittenAnswer {
  readonly status: number
  readonly contentType: string
  readonly contentLength?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one paid request that isn't chat, and writes its answer. */
export async function serveOpen(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  call: MediaCall,
  startedAt: number,
): Promise<FastifyReply> {
  return passOpen(context, reply, await sendOpen(context, request, reply, call, startedAt))
}

/**
 * Reads a JSON body, sends the request that `callOf` makes of it, and writes the answer. The body is released as soon as the
 * service answers.
 *
 * @throws {SottoError} as withJsonBody; and as relay.open
 */
export async function serveJson(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  callOf: (body: JsonObject) => MediaCall,
): Promise<FastifyReply> {
  return passOpen(
    context,
    reply,
    await withJsonBody(request.raw, context.bodies, (body) =>
      sendOpen(context, request, reply, callOf(body), performance.now()),
    ),
  )
}

interface Sent extends Pick<MediaCall, 'ignored' | 'write'> {
  readonly answer: PlaintextAnswer
  readonly gone: AbortSignal
}

/**
 * Sends one paid request beside chat.
 *
 * @throws {SottoError} as relay.open
 */
export async function sendOpen(
  { backend }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { ask, ignored = [], write }: MediaCall,
  startedAt: number,
): Promise<Sent> {
  // What a data endpoint is asked by GET stands in the address, and is judged as its input.
  if (ask.endpoint !== 'data' || ask.method === 'POST') refuseModelOutsideBody(request.raw)
  const limits = limitsOf(request)
  const gone = callerGone(request.raw, reply.raw)
  const answer = await backend().relay.open({
    ask,
    caller: callerOf(request),
    allowed: limits,
    signal: gone,
    mayPayPerRequest: limits.grants?.includes('pay-per-request') === true,
    startedAt,
  })
  return { answer, gone, ignored, ...(write && { write }) }
}

async function passOpen(
  { mark }: RouteContext,
  reply: FastifyReply,
  { answer, gone, ignored = [], write }: Sent,
): Promise<FastifyReply> {
  const headers = {
    ...answerHeaders(answer, mark),
    ...(ignored.length > 0 && { 'x-sotto-ignored': ignored.join(', ') }),
  }
  return passOn(write ? await write(answer, gone) : answer, reply, headers, gone)
}

/** Looks at what costs nothing, and hands the answer on. @param write writes it in the form that the tool wants */
export async function serveLook(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  look: FreeLookup,
  write?: (answer: WrittenAnswer) => Promise<WrittenAnswer>,
): Promise<FastifyReply> {
  return serveFree(context, request, reply, async (gone) => {
    const answer = await context.backend().relay.look(look, gone)
    return write ? write(answer) : answer
  })
}

/** Writes an answer that costs nothing and has no receipt. @param answerOf gets a signal that aborts when the caller goes away */
export async function serveFree(
  { mark }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answerOf: (gone: AbortSignal) => Promise<WrittenAnswer>,
): Promise<FastifyReply> {
  const gone = callerGone(request.raw, reply.raw)
  return passOn(await answerOf(gone), reply, { ...PLAIN_HEADERS, ...mark, ...requestIdHeaders() }, gone)
}

/**
 * Writes an answer as it comes and no faster than it is read. What fails before its first byte is an error with a code;
 * after that the connection is dropped, since half an answer must not look whole.
 */
async function passOn(
  { status, contentType, contentLength, body }: WrittenAnswer,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  gone: AbortSignal,
): Promise<FastifyReply> {
  const { raw } = reply
  const begin = (): void => {
    if (raw.headersSent) return
    reply.hijack()
    raw.writeHead(status, {
      ...headers,
      'content-type': contentType,
      ...(contentLength !== undefined && { 'content-length': contentLength }),
    })
  }
  try {
    for await (const chunk of body) {
      begin()
      if (!raw.write(chunk)) await drained(raw, gone)
      if (gone.aborted) break
    }
    begin()
    raw.end()
  } catch (thrown) {
    if (!raw.headersSent) throw thrown
    raw.destroy()
  }
  return reply
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { PlaintextAnswer, PlaintextAsk, FreeLookup } from '../relay/index.ts'
import { answerHeaders, ignoredHeader, PLAIN_HEADERS, requestIdHeaders } from './answer-headers.ts'
import { callerGone, drained } from './caller.ts'
import { refuseModelOutsideBody, withJsonBody } from './read-body.ts'
import { callerOf, limitsOf, type RouteContext } from './route-context.ts'

/** One paid request of a tool, and the form of its answer. */
export interface MediaCall {
  readonly ask: PlaintextAsk
  /** Members of the request that have no effect. */
  readonly ignored?: readonly string[]
  /**
   * Converts the service's answer to the form that the tool expects; absent if the bytes are passed on
   * unchanged.
   * @param gone aborts when the caller disconnects
   */
  readonly write?: (answer: PlaintextAnswer, gone: AbortSignal) => WrittenAnswer | Promise<WrittenAnswer>
}

/** An answer as the tool gets it. */
export interface WrittenAnswer {
  readonly status: number
  readonly contentType: string
  readonly contentLength?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one paid request other than chat, and writes its answer. */
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
 * Reads a JSON body, sends the request that `callOf` builds from it, and writes the answer. The body is
 * released as soon as the service answers.
 * @throws the errors of withJsonBody and of relay.open
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
 * Sends one paid request other than chat.
 * @throws the errors of relay.open
 */
export async function sendOpen(
  { backend }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { ask, ignored = [], write }: MediaCall,
  startedAt: number,
): Promise<Sent> {
  // The input of a data endpoint with GET is in the URL, and is checked as its input.
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
  const headers = { ...answerHeaders(answer, mark), ...ignoredHeader(ignored) }
  return passOn(write ? await write(answer, gone) : answer, reply, headers, gone)
}

/**
 * Serves a free request and passes its answer on.
 * @param write converts it to the form that the tool expects
 */
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

/**
 * Writes a free answer without a receipt.
 * @param answerOf gets a signal that aborts when the caller disconnects
 */
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
 * Writes an answer as it arrives, with backpressure. A failure before its first byte is an error with a code.
 * A later failure drops the connection, so that an incomplete answer doesn't look complete.
 * The answer to HEAD ends at the first byte, which shows that the request succeeded.
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
      if (gone.aborted || reply.request.method === 'HEAD') break
    }
    begin()
    raw.end()
  } catch (thrown) {
    if (!raw.headersSent) throw thrown
    raw.destroy()
  }
  return reply
}

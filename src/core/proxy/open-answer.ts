import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { OpenAnswer, OpenAsk, OpenLook } from '../relay/index.ts'
import { answerHeaders, PLAIN_HEADERS, requestIdHeaders } from './answer-headers.ts'
import { callerGone, drained } from './caller.ts'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { withJsonBody } from './read-body.ts'
import { callerOf, limitsOf, type RouteContext } from './route-context.ts'

/** Sends one paid request beside chat, and hands its answer on byte for byte. */
export async function serveOpen(context: RouteContext, request: FastifyRequest, reply: FastifyReply, ask: OpenAsk, startedAt: number): Promise<FastifyReply> {
  return passOpen(context, reply, await sendOpen(context, request, reply, ask, startedAt))
}

/**
 * Reads a JSON body, sends the request that `askOf` makes of it, and passes the answer on. The body is released as soon as the
 * service answers.
 *
 * @throws {SottoError} as withJsonBody; and as relay.open
 */
export async function serveJson(context: RouteContext, request: FastifyRequest, reply: FastifyReply, askOf: (body: JsonObject) => OpenAsk): Promise<FastifyReply> {
  return passOpen(context, reply, await withJsonBody(request.raw, context.bodies, (body) => sendOpen(context, request, reply, askOf(body), performance.now())))
}

interface Sent {
  readonly answer: OpenAnswer
  readonly gone: AbortSignal
}

/**
 * Sends one paid request beside chat.
 *
 * @throws {SottoError} as relay.open
 */
export async function sendOpen({ backend }: RouteContext, request: FastifyRequest, reply: FastifyReply, ask: OpenAsk, startedAt: number): Promise<Sent> {
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
  return { answer, gone }
}

function passOpen({ mark }: RouteContext, reply: FastifyReply, { answer, gone }: Sent): Promise<FastifyReply> {
  return passOn(answer, reply, answerHeaders(answer, mark), gone)
}

/** Looks at what costs nothing, and hands the answer on. */
export async function serveLook({ backend, mark }: RouteContext, request: FastifyRequest, reply: FastifyReply, look: OpenLook): Promise<FastifyReply> {
  const gone = callerGone(request.raw, reply.raw)
  return passOn(await backend().relay.look(look, gone), reply, { ...PLAIN_HEADERS, ...mark, ...requestIdHeaders() }, gone)
}

interface Passed {
  readonly status: number
  readonly contentType: string
  readonly contentLength?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Writes an answer as it comes and no faster than it is read. What fails before its first byte is an error with a code;
 * after that the connection is dropped, since half an answer must not look whole.
 */
async function passOn({ status, contentType, contentLength, body }: Passed, reply: FastifyReply, headers: Readonly<Record<string, string>>, gone: AbortSignal): Promise<FastifyReply> {
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { say } from '../../shared/say.ts'
import type { RelayAnswer } from '../relay/index.ts'
import { answerHeaders } from './answer-headers.ts'
import { callerGone, drained } from './caller.ts'
import { toOpenAiError } from './errors.ts'
import { refuseModelOutsideBody } from './model-outside-body.ts'
import { parseBody } from './parse-body.ts'
import { callerOf, limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

const HEADERS_WAIT_MS = 10

/** `POST /v1/chat/completions`, sealed or forwarded as the model has it. */
export function registerChat(server: FastifyInstance, context: RouteContext): void {
  const chat = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => serveChat(context, request, reply)
  for (const prefix of PREFIXES) server.post(`${prefix}/chat/completions`, chat)
}

/**
 * The answer is written to the socket as it comes; when the caller goes away, the request
 * upstream ends at once. A failure after the first byte is told inside the stream, in OpenAI's shape.
 */
async function serveChat({ backend, mark }: RouteContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const startedAt = performance.now()
  const body = parseBody(request.body)
  refuseModelOutsideBody(request)
  if (!Array.isArray(body['messages'])) {
    if (typeof body['model'] !== 'string' || body['model'] === '') throw new SottoError('proxy/model-missing', { param: 'model' })
    throw new SottoError('proxy/invalid-request', { detail: say('“messages” is not a list.'), param: 'messages' })
  }
  const gone = callerGone(request, reply)
  const answer = await backend().relay.chat({ body, caller: callerOf(request), allowed: limitsOf(request), signal: gone, startedAt })
  reply.hijack()
  await write(answer, reply.raw, mark, gone)
  return reply
}

async function write(answer: RelayAnswer, socket: ServerResponse, mark: RouteContext['mark'], gone: AbortSignal): Promise<void> {
  const streaming = answer.contentType === 'text/event-stream'
  const headers = {
    ...answerHeaders(answer, mark),
    'content-type': streaming ? 'text/event-stream; charset=utf-8' : 'application/json',
  }
  // A first word that comes at once shares its packet with the headers; a slow one does not hold them back.
  const flush = streaming ? setTimeout(() => socket.flushHeaders(), HEADERS_WAIT_MS) : undefined
  if (streaming) socket.writeHead(200, headers)
  try {
    for await (const chunk of answer.body) {
      clearTimeout(flush)
      // An answer that is not streamed is one piece.
      if (!streaming) socket.writeHead(200, { ...headers, 'content-length': chunk.byteLength }).end(chunk)
      else if (!socket.write(chunk)) await drained(socket, gone)
      // What is still on its way to it is for nobody.
      if (gone.aborted) break
    }
    socket.end()
  } catch (thrown) {
    const failure = asSottoError(thrown)
    if (socket.destroyed) return
    if (streaming) socket.end(`data: ${JSON.stringify(toOpenAiError(failure))}\n\n`)
    else socket.destroy()
  } finally {
    clearTimeout(flush)
  }
}

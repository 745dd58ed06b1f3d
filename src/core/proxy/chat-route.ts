import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { Relay, RelayAnswer } from '../relay/index.ts'
import { toOpenAiError } from './errors.ts'
import { requireModel } from './key-limits.ts'
import { parseBody } from './parse-body.ts'

const HEADERS_WAIT_MS = 10

/**
 * `POST /v1/chat/completions`. The answer is written to the socket as it comes; when the caller goes away, the request
 * upstream ends at once. A failure after the first byte is told inside the stream, in OpenAI's shape.
 */
export async function serveChat(relay: Relay, request: FastifyRequest, reply: FastifyReply, extraHeaders: Record<string, string>): Promise<FastifyReply> {
  const body = parseBody(request.body)
  if (Object.hasOwn(asQuery(request.query), 'model')) throw new SottoError('privacy/path', { detail: 'A model stands in the body and not in the address.', param: 'model' })
  if (!Array.isArray(body['messages'])) {
    if (typeof body['model'] !== 'string' || body['model'] === '') throw new SottoError('proxy/model-missing', { param: 'model' })
    throw new SottoError('proxy/invalid-request', { detail: '“messages” is not a list.', param: 'messages' })
  }
  if (request.localKey && typeof body['model'] === 'string') requireModel(request.localKey.limits, body['model'])
  const caller = new AbortController()
  const onClose = (): void => {
    if (!reply.raw.writableFinished) caller.abort()
  }
  reply.raw.once('close', onClose)
  // It may have gone while its body was read; nothing is sent for nobody.
  if (reply.raw.destroyed) caller.abort()
  const answer = await relay.chat({ body, caller: { kind: 'proxy', ...(request.localKey && { localKeyId: request.localKey.id }) }, signal: caller.signal })
  reply.hijack()
  await write(answer, reply.raw, extraHeaders)
  return reply
}

async function write(answer: RelayAnswer, socket: ServerResponse, extraHeaders: Record<string, string>): Promise<void> {
  const streaming = answer.contentType === 'text/event-stream'
  const headers = {
    ...extraHeaders,
    'content-type': streaming ? 'text/event-stream; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
    'x-sotto-privacy': answer.privacy,
    'x-sotto-receipt': answer.receiptId,
  }
  // A first word that comes at once shares its packet with the headers; a slow one does not hold them back.
  const flush = streaming ? setTimeout(() => socket.flushHeaders(), HEADERS_WAIT_MS) : undefined
  if (streaming) socket.writeHead(200, headers)
  try {
    for await (const chunk of answer.body) {
      clearTimeout(flush)
      // An answer that is not streamed is one piece.
      if (!streaming) socket.writeHead(200, { ...headers, 'content-length': chunk.byteLength }).end(chunk)
      else if (!socket.write(chunk)) await drained(socket)
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

function drained(socket: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      socket.off('drain', settle)
      socket.off('close', settle)
      resolve()
    }
    socket.on('drain', settle)
    socket.on('close', settle)
  })
}

function asQuery(query: unknown): object {
  return typeof query === 'object' && query !== null ? query : {}
}

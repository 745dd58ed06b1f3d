import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CountedBody } from '../../../shared/body-budget.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { RequestHead } from '../../../shared/request-head.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { RelayAnswer } from '../relay/index.ts'
import type { Admission } from './admission.ts'
import { answerHeaders } from './answer-headers.ts'
import { callerGone, drained } from './caller.ts'
import { toOpenAiError } from './errors.ts'
import { refuseModelOutsideBody, withJsonBody } from './read-body.ts'
import type { Refuse } from './refusal.ts'
import { callerOf, limitsOf, PREFIXES, sendKeyChat, type RouteContext } from './route-context.ts'
import { StreamedBody } from './streamed-body.ts'

const HEADERS_WAIT_MS = 10

const PATHS: ReadonlySet<string> = new Set(PREFIXES.map((prefix) => `${prefix}/chat/completions`))

/** Whether the request is a chat completion. Other methods of this path are refused like unknown paths. */
export function isChat({ method, pathname }: RequestHead): boolean {
  return method === 'POST' && PATHS.has(pathname)
}

/**
 * Serves `POST /v1/chat/completions`, sealed or forwarded depending on the model. Nearly every request is one
 * of these. They bypass fastify, because it takes up to a tenth of the proxy's time for a request
 * (docs/performance.md).
 */
export function serveChat(
  context: RouteContext,
  admission: Admission,
  refuse: Refuse,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const receivedAt = performance.now()
    answerChat(context, admission, request, response).catch((thrown: unknown) =>
      refuse(thrown, response, receivedAt, 'openai'),
    )
  }
}

/**
 * Writes the answer to the socket as it arrives. When the caller disconnects, the request to the service ends
 * at once. A failure after the first byte is reported within the stream, in OpenAI's shape.
 */
async function answerChat(
  context: RouteContext,
  admission: Admission,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const page = admission.page(request, response)
  const confirming = admission.confirmKeys()
  if (confirming) await confirming
  const localKey = admission.key(request, response, page)
  const waiting = admission.takeShared(localKey, request, response)
  if (waiting) await waiting
  const key = { localKey }
  const { answer, gone } = await withJsonBody(request, context.bodies, (body, counted) =>
    sendChat(context, key, request, response, { body, counted }),
  )
  await write(answer, response, context.mark, gone)
}

async function sendChat(
  { backend }: RouteContext,
  key: Pick<FastifyRequest, 'localKey'>,
  request: IncomingMessage,
  response: ServerResponse,
  { body, counted }: { readonly body: JsonObject; readonly counted: CountedBody },
): Promise<{ answer: RelayAnswer; gone: AbortSignal }> {
  const startedAt = performance.now()
  refuseModelOutsideBody(request)
  if (!Array.isArray(body['messages'])) {
    if (typeof body['model'] !== 'string' || body['model'] === '')
      throw new SottoError('proxy/model-missing', { param: 'model' })
    throw new SottoError('proxy/invalid-request', { toolDetail: 'It must be an array.', param: 'messages' })
  }
  const gone = callerGone(request, response)
  return {
    answer: await sendKeyChat(
      backend(),
      key,
      { body, caller: callerOf(key), allowed: limitsOf(key), signal: gone, startedAt },
      [counted],
    ),
    gone,
  }
}

function write(
  answer: RelayAnswer,
  response: ServerResponse,
  mark: RouteContext['mark'],
  gone: AbortSignal,
): Promise<void> {
  const headers = answerHeaders(answer, mark)
  return answer.contentType === 'text/event-stream'
    ? writeEvents(answer, response, headers, gone)
    : writeWhole(answer, response, headers)
}

/** Writes an answer that isn't streamed, in one piece. */
async function writeWhole(
  { body }: RelayAnswer,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  try {
    for await (const { text } of body)
      response
        .writeHead(200, {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        })
        .end(text)
  } catch {
    response.destroy()
  }
}

async function writeEvents(
  { body }: RelayAnswer,
  response: ServerResponse,
  headers: Record<string, string>,
  gone: AbortSignal,
): Promise<void> {
  const events = new StreamedBody(response, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
  })
  // If the first token arrives at once, it shares a packet with the headers. If it's slow, the headers don't
  // wait for it.
  const flush = setTimeout(() => response.flushHeaders(), HEADERS_WAIT_MS)
  try {
    for await (const { text } of body) {
      clearTimeout(flush)
      if (!events.write(text)) await drained(response, gone)
      // Nobody reads the remaining text.
      if (gone.aborted) break
    }
    events.end()
  } catch (thrown) {
    if (!response.destroyed) events.end(`data: ${JSON.stringify(toOpenAiError(asSottoError(thrown)))}\n\n`)
  } finally {
    clearTimeout(flush)
  }
}

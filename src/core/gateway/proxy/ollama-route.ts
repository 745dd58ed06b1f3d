import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Translated } from '../dialect/dialect.ts'
import {
  readShow,
  translateEmbed,
  translateEmbeddings,
  translateOllamaChat,
  translateOllamaGenerate,
  type ModelLoad,
  type TranslatedEmbed,
} from '../dialect/ollama/index.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { answerHeaders, ignoredHeader } from './answer-headers.ts'
import { withReceipt } from './dialect-answer.ts'
import { serveTranslated, type Answered } from './dialect-route.ts'
import { refuseModelOutsideBody, withJsonBody } from './read-body.ts'
import { findOllamaModel, knownName, ollamaModels, ollamaShow, ollamaTag } from './ollama-model.ts'
import { sendOpen } from './plaintext-answer.ts'
import { limitsOf, type RouteContext } from './route-context.ts'

const config = { dialect: 'ollama' } as const

/**
 * Clients require a version of Ollama: VS Code 0.6.4 or later, and others 0.14.2. It isn't Sotto's version.
 */
const OLLAMA_VERSION = '0.14.2'

/**
 * Registers Ollama's API, based on chat completions and embeddings. It requires a local key, like every API.
 */
export function registerOllama(server: FastifyInstance, context: RouteContext): void {
  server.get('/api/version', { config }, () => ({ version: OLLAMA_VERSION }))
  // Sotto runs no model on this computer.
  server.get('/api/ps', { config }, () => ({ models: [] }))
  server.get('/api/tags', { config }, (request) => listTags(context, request))
  server.post('/api/show', { config }, (request) => show(context, request))
  server.post('/api/chat', { config }, (request, reply) =>
    serveChat(context, request, reply, translateOllamaChat),
  )
  server.post('/api/generate', { config }, (request, reply) =>
    serveChat(context, request, reply, translateOllamaGenerate),
  )
  server.post('/api/embed', { config }, (request, reply) =>
    serveEmbed(context, request, reply, translateEmbed),
  )
  server.post('/api/embeddings', { config }, (request, reply) =>
    serveEmbed(context, request, reply, translateEmbeddings),
  )
}

async function listTags({ backend }: RouteContext, request: FastifyRequest): Promise<object> {
  const { relay } = backend()
  const models = await ollamaModels(relay, limitsOf(request))
  return { models: models.map((model) => ollamaTag(model, relay.plaintextChatPrivacy())) }
}

function show({ backend, bodies }: RouteContext, request: FastifyRequest): Promise<object> {
  return withJsonBody(request.raw, bodies, async (body) => {
    refuseModelOutsideBody(request.raw)
    const { relay } = backend()
    const model = await findOllamaModel(relay, readShow(body), limitsOf(request))
    return ollamaShow(model, relay.plaintextChatPrivacy())
  })
}

function serveChat(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  translate: (body: JsonObject) => Translated | ModelLoad,
): Promise<FastifyReply> {
  return serveTranslated(context, request, reply, async (body) => {
    const translated = translate(await withKnownName(context, request, body))
    return 'reply' in translated ? answerLoad(context, request, translated) : translated
  })
}

/** Answers a load request without loading anything, but refuses a model that the key can't use. */
async function answerLoad(
  { backend, now }: RouteContext,
  request: FastifyRequest,
  { model, reply }: ModelLoad,
): Promise<Answered> {
  await findOllamaModel(backend().relay, model, limitsOf(request))
  return { reply: reply(Math.floor(now() / 1000)) }
}

async function withKnownName(
  { backend }: RouteContext,
  request: FastifyRequest,
  body: JsonObject,
): Promise<JsonObject> {
  const { model } = body
  return typeof model === 'string'
    ? { ...body, model: await knownName(backend().relay, model, limitsOf(request)) }
    : body
}

async function serveEmbed(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  translate: (body: JsonObject) => TranslatedEmbed,
): Promise<FastifyReply> {
  const startedAt = performance.now()
  const { translated, sent } = await withJsonBody(request.raw, context.bodies, async (body) => {
    refuseModelOutsideBody(request.raw)
    const { body: embeddingBody, ...translated } = translate(await withKnownName(context, request, body))
    if (!embeddingBody) await findOllamaModel(context.backend().relay, translated.model, limitsOf(request))
    return {
      translated,
      sent:
        embeddingBody &&
        (await sendOpen(
          context,
          request,
          reply,
          { ask: { endpoint: 'embeddings', body: embeddingBody } },
          startedAt,
        )),
    }
  })
  reply.headers(ignoredHeader(translated.ignored))
  if (!sent) return reply.send(translated.answer(null, performance.now() - startedAt))
  const { answer } = sent
  reply.headers(answerHeaders(answer, context.mark))
  try {
    return await reply.send(translated.answer(await readText(answer.body), performance.now() - startedAt))
  } catch (thrown) {
    throw withReceipt(thrown, answer)
  }
}

/** @param body limited in size by the relay */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString('utf8')
}

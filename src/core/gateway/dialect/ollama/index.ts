import type { JsonObject } from '../../../../shared/strict-json.ts'
import { answerWriter } from '../answer-writer.ts'
import type { Translated } from '../dialect.ts'
import { readRequest } from '../read-request.ts'
import {
  chatSchema,
  generateSchema,
  showSchema,
  type OllamaChat,
  type OllamaGenerate,
} from './request-schema.ts'
import { chatBody, generateBody, ignoredMembers } from './request.ts'
import { loadReply, OllamaWriter, type OllamaWish } from './writer.ts'

export { translateEmbed, translateEmbeddings, type TranslatedEmbed } from './embed.ts'
export { toOllamaError, type OllamaError } from './writer.ts'

/** One JSON object per line. */
const NDJSON = 'application/x-ndjson'

/** A request without a prompt, with which callers load or unload a model. The service has no such request. */
export interface ModelLoad {
  readonly model: string
  /** @param createdAt Unix seconds */
  readonly reply: (createdAt: number) => JsonObject
}

/**
 * Translates Ollama's `POST /api/chat`.
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing – each with `param`
 */
export function translateOllamaChat(body: JsonObject): Translated | ModelLoad {
  const request = readRequest(chatSchema, body)
  const wish = wishOf(request, 'chat')
  return request.messages.length === 0 ? loadOf(request, wish) : translated(request, wish, chatBody(request))
}

/** Translates Ollama's `POST /api/generate`. Throws the errors of translateOllamaChat. */
export function translateOllamaGenerate(body: JsonObject): Translated | ModelLoad {
  const request = readRequest(generateSchema, body)
  const wish = wishOf(request, 'generate')
  const { prompt, suffix, images = [] } = request
  return prompt === '' && suffix === '' && images.length === 0
    ? loadOf(request, wish)
    : translated(request, wish, generateBody(request))
}

/**
 * Reads the model of Ollama's `POST /api/show`; older callers send it as `name`. Throws the errors of
 * translateOllamaChat.
 */
export function readShow(body: JsonObject): string {
  return readRequest(
    showSchema,
    body['model'] === undefined && body['name'] !== undefined ? { ...body, model: body['name'] } : body,
  ).model
}

type AnyRequest = OllamaChat | OllamaGenerate

function wishOf({ model, think }: AnyRequest, of: OllamaWish['of']): OllamaWish {
  return { model, of, thinking: think !== false }
}

function translated(request: AnyRequest, wish: OllamaWish, body: JsonObject): Translated {
  return {
    body,
    ignored: ignoredMembers(request),
    streamType: NDJSON,
    answer: (facts) => answerWriter((write) => new OllamaWriter(wish, facts, write)),
  }
}

/** `keep_alive` is a duration, in seconds if it's a number. Zero unloads the model. */
function loadOf({ model, keep_alive: keepAlive }: AnyRequest, wish: OllamaWish): ModelLoad {
  const unload =
    keepAlive === 0 || (typeof keepAlive === 'string' && /^0(?:ns|us|µs|ms|s|m|h)?$/.test(keepAlive))
  return { model, reply: (createdAt) => loadReply(wish, unload ? 'unload' : 'load', createdAt) }
}

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

/** One JSON object for each line. */
const NDJSON = 'application/x-ndjson'

/** A request without a prompt: callers load a model by it, or unload it. The service has no such request. */
export interface ModelLoad {
  readonly model: string
  /** @param createdAt Unix seconds */
  readonly reply: (createdAt: number) => JsonObject
}

/** Ollama's `POST /api/chat`. Throws dialect/unsupported, proxy/invalid-request, proxy/model-missing, each with `param`. */
export function translateOllamaChat(body: JsonObject): Translated | ModelLoad {
  const request = readRequest(chatSchema, body)
  const wish = wishOf(request, 'chat')
  return request.messages.length === 0 ? loadOf(request, wish) : translated(request, wish, chatBody(request))
}

/** Ollama's `POST /api/generate`. Throws as translateOllamaChat. */
export function translateOllamaGenerate(body: JsonObject): Translated | ModelLoad {
  const request = readRequest(generateSchema, body)
  const wish = wishOf(request, 'generate')
  const { prompt, suffix, images = [] } = request
  return prompt === '' && suffix === '' && images.length === 0
    ? loadOf(request, wish)
    : translated(request, wish, generateBody(request))
}

/** The model that Ollama's `POST /api/show` asks about; older callers send its name as `name`. Throws as translateOllamaChat. */
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

/** A duration, in seconds if it is a number. */
function loadOf({ model, keep_alive: keepAlive }: AnyRequest, wish: OllamaWish): ModelLoad {
  const unload =
    keepAlive === 0 || (typeof keepAlive === 'string' && /^0(?:ns|us|µs|ms|s|m|h)?$/.test(keepAlive))
  return { model, reply: (createdAt) => loadReply(wish, unload ? 'unload' : 'load', createdAt) }
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/strict-json.ts'
import { answerWriter } from '../answer-writer.ts'
import type { AnswerFacts, AnswerWriter, Translated } from '../dialect.ts'
import { readRequest } from '../read-request.ts'
import { NOTHING_EARLIER, resolveInput, type EarlierResponses } from './earlier.ts'
import type { CachedItem } from './cached-item.ts'
import { responsesSchema, type ResponsesRequest } from './request-schema.ts'
import { ignoredMembers, toChatRequest } from './request.ts'
import { ToolNames } from './tool-names.ts'
import { responseId, ResponseWriter } from './writer.ts'

export { outputItems, type EarlierItems, type EarlierResponses } from './earlier.ts'
export { isPlainId, type CachedItem } from './cached-item.ts'
export { responseId }

export interface TranslatedResponse extends Translated {
  /** Whether the caller wants Sotto to store the response. */
  readonly store: boolean
  /** Returns the whole input of the response, to cache. @param id the IDs of new items contain it */
  contextFor(id: string): CachedItem[]
  /** @param onResponse called with the Response when it begins and when it ends */
  answer(facts: AnswerFacts, onResponse?: (response: JsonObject) => void): AnswerWriter
}

/**
 * Translates OpenAI's `POST /v1/responses` to a chat completion.
 * @param earlier the cached responses that the request may refer to; none by default
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing,
 * response/previous-unknown, response/unknown – each with `param`
 */
export function translateResponses(
  body: JsonObject,
  earlier: EarlierResponses = NOTHING_EARLIER,
): TranslatedResponse {
  const request = readRequest(responsesSchema, body, hintFor)
  const names = new ToolNames(request.tools)
  const input = resolveInput(request, body['input'], earlier)
  const store = request.store !== false
  const wish = {
    model: request.model,
    echo: echoOf(body, request),
    names,
    reasoningToken: request.include?.includes('reasoning.encrypted_content') ?? false,
  }
  return {
    body: toChatRequest(request, input.items, names),
    ignored: ignoredMembers(request),
    hasServerTools: true,
    store,
    earlier: { privacy: input.privacy, bytes: input.earlierBytes },
    contextFor: (id) => input.contextFor(id),
    answer: (facts, onResponse) =>
      answerWriter((write) => new ResponseWriter(wish, facts, write, onResponse)),
  }
}

function hintFor(value: JsonValue | undefined): string {
  return typeof value === 'string' && value.startsWith('web_search')
    ? 'Only OpenAI’s servers run this tool. Codex omits it with web_search = "disabled" in config.toml.'
    : ''
}

/** Returns the members that a Response repeats from its request, with Sotto's defaults. */
function echoOf(
  body: JsonObject,
  { store = true, previous_response_id: previous }: ResponsesRequest,
): JsonObject {
  const { text } = body
  const echoMember = (name: string, otherwise: JsonValue): JsonObject => ({ [name]: body[name] ?? otherwise })
  return {
    ...echoMember('instructions', null),
    ...echoMember('max_output_tokens', null),
    ...echoMember('max_tool_calls', null),
    ...echoMember('metadata', {}),
    ...echoMember('parallel_tool_calls', true),
    ...echoMember('temperature', null),
    ...echoMember('top_p', null),
    ...echoMember('tool_choice', 'auto'),
    ...echoMember('tools', []),
    text: { format: { type: 'text' }, ...(isJsonObject(text) && text) },
    ...echoMember('reasoning', { effort: null, summary: null }),
    ...echoMember('safety_identifier', null),
    ...echoMember('user', null),
    previous_response_id: previous ?? null,
    background: false,
    store,
    top_logprobs: 0,
    truncation: 'disabled',
  }
}

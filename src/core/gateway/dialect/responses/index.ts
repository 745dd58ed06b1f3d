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
  /** Whether the caller wants the response to be stored. */
  readonly store: boolean
  /** The whole input of the response, to cache. @param id of which the IDs of new items are made */
  contextFor(id: string): CachedItem[]
  /** @param onResponse called with the Response when it begins and when it ends */
  answer(facts: AnswerFacts, onResponse?: (response: JsonObject) => void): AnswerWriter
}

/**
 * OpenAI's `POST /v1/responses` as a chat completion.
 *
 * @param earlier what the request may refer to; absent: nothing
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing, response/previous-unknown, response/unknown – each with `param`
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

/** What a Response repeats of its request, with the defaults that hold here. */
function echoOf(
  body: JsonObject,
  { store = true, previous_response_id: previous }: ResponsesRequest,
): JsonObject {
  const { text } = body
  const given = (name: string, otherwise: JsonValue): JsonObject => ({ [name]: body[name] ?? otherwise })
  return {
    ...given('instructions', null),
    ...given('max_output_tokens', null),
    ...given('max_tool_calls', null),
    ...given('metadata', {}),
    ...given('parallel_tool_calls', true),
    ...given('temperature', null),
    ...given('top_p', null),
    ...given('tool_choice', 'auto'),
    ...given('tools', []),
    text: { format: { type: 'text' }, ...(isJsonObject(text) && text) },
    ...given('reasoning', { effort: null, summary: null }),
    ...given('safety_identifier', null),
    ...given('user', null),
    previous_response_id: previous ?? null,
    background: false,
    store,
    top_logprobs: 0,
    truncation: 'disabled',
  }
}

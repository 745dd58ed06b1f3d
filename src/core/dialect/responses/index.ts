import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import { answerWriter } from '../answer-writer.ts'
import type { Translated } from '../dialect.ts'
import { readRequest } from '../read-request.ts'
import { responsesSchema } from './request-schema.ts'
import { ignoredMembers, toChatRequest } from './request.ts'
import { ToolNames } from './tool-names.ts'
import { ResponseWriter } from './writer.ts'

/**
 * OpenAI's `POST /v1/responses` as a chat completion. Nothing is kept of it, so the answer says `store: false`. Throws
 * dialect/unsupported, proxy/invalid-request, proxy/model-missing, each with `param`.
 */
export function translateResponses(body: JsonObject): Translated {
  const request = readRequest(responsesSchema, body, hintFor)
  const names = new ToolNames(request.tools)
  const wish = { model: request.model, echo: echoOf(body), names, reasoningToken: request.include?.includes('reasoning.encrypted_content') ?? false }
  return {
    body: toChatRequest(request, names),
    ignored: ignoredMembers(request),
    answer: (facts) => answerWriter((write) => new ResponseWriter(wish, facts, write)),
  }
}

function hintFor(value: JsonValue | undefined): string {
  if (value === 'item_reference') return 'Sotto stores no items. Send the item itself, as clients do if "store" is false.'
  return typeof value === 'string' && value.startsWith('web_search') ? 'Only OpenAI’s servers run this tool. Codex omits it with web_search = "disabled" in config.toml.' : ''
}

/** What a Response repeats of its request, with the defaults that hold here. */
function echoOf(body: JsonObject): JsonObject {
  const given = (name: string, otherwise: JsonValue): JsonObject => ({ [name]: body[name] ?? otherwise })
  return {
    ...given('instructions', null),
    ...given('max_output_tokens', null),
    ...given('metadata', {}),
    ...given('parallel_tool_calls', true),
    ...given('temperature', null),
    ...given('top_p', null),
    ...given('tool_choice', 'auto'),
    ...given('tools', []),
    ...given('text', { format: { type: 'text' } }),
    ...given('reasoning', { effort: null, summary: null }),
    previous_response_id: null,
    background: false,
    store: false,
    truncation: 'disabled',
  }
}

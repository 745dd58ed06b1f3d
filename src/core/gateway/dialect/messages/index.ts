import type { JsonObject } from '../../../../shared/strict-json.ts'
import { answerWriter } from '../answer-writer.ts'
import type { Translated } from '../dialect.ts'
import { readRequest } from '../read-request.ts'
import { countSchema, messagesSchema, type MessagesRequest } from './request-schema.ts'
import { ignoredMembers, toChatRequest } from './request.ts'
import { MessageWriter, type ThinkingDisplay } from './writer.ts'

export { toAnthropicError, type AnthropicError } from './error.ts'

/**
 * Translates Anthropic's `POST /v1/messages` to a chat completion.
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing – each with `param`
 */
export function translateMessages(body: JsonObject): Translated {
  const request = readRequest(messagesSchema, body)
  const wish = {
    model: request.model,
    thinking: thinkingDisplay(request),
    stopSequences: request.stop_sequences ?? [],
  }
  return {
    body: toChatRequest(request),
    ignored: ignoredMembers(request),
    hasServerTools: true,
    answer: (facts) => answerWriter((write) => new MessageWriter(wish, facts, write)),
  }
}

/**
 * Translates `POST /v1/messages/count_tokens` to the chat completion's body whose tokens are counted. Throws
 * the errors of translateMessages.
 */
export function translateTokenCount(body: JsonObject): JsonObject {
  return toChatRequest(readRequest(countSchema, body))
}

function thinkingDisplay({ thinking }: MessagesRequest): ThinkingDisplay {
  if (!thinking || thinking.type === 'disabled') return 'none'
  return thinking.display === 'omitted' ? 'omitted' : 'shown'
}

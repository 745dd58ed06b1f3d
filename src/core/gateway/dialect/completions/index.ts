import type { JsonObject } from '../../../../shared/strict-json.ts'
import { answerWriter } from '../answer-writer.ts'
import type { Translated } from '../dialect.ts'
import { readRequest } from '../read-request.ts'
import { readGap, type Gap } from './gap.ts'
import { completionsSchema, IGNORED, type CompletionsRequest } from './request-schema.ts'
import { CompletionWriter } from './writer.ts'

/**
 * OpenAI's default in the legacy interface. Without it, a budget would reserve a reply as long as the
 * context.
 */
const DEFAULT_MAX_TOKENS = 16

const CONTINUE =
  'Continue the text of the user at exactly the place where it ends. Reply only with the continuation: no repetition, explanation or code fence.'
const FILL =
  'The user sends the text before and the text after a gap. Reply only with the text that fills the gap, so that all three can be joined as they are: no repetition, explanation or code fence.'

/**
 * Translates OpenAI's `POST /v1/completions` (legacy) to a chat completion, for editors that complete text.
 * The service has only chat models, so an instruction asks the model to continue the text or to fill the gap.
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing – each with `param`
 */
export function translateCompletions(body: JsonObject): Translated {
  const request = readRequest(completionsSchema, body)
  const wish = { model: request.model, usage: request.stream_options?.include_usage === true }
  return {
    body: toChatRequest(request),
    ignored: IGNORED.filter((name) => request[name] !== undefined),
    answer: (facts) => answerWriter((write) => new CompletionWriter(wish, facts, write)),
  }
}

function toChatRequest({
  model,
  prompt,
  suffix = '',
  max_tokens: maxTokens = DEFAULT_MAX_TOKENS,
  stream,
  ...request
}: CompletionsRequest): JsonObject {
  return {
    model,
    messages: completionMessages(prompt, suffix),
    max_completion_tokens: maxTokens,
    ...settings(request),
    ...(stream === true && { stream: true, stream_options: { include_usage: true } }),
  }
}

/**
 * Builds the messages that instruct a chat model to continue a text or, if it has a suffix or a gap, to fill
 * the gap.
 */
export function completionMessages(prompt: string, suffix: string): JsonObject[] {
  const gap = suffix === '' ? readGap(prompt) : { before: prompt, after: suffix }
  return gap
    ? gapMessages(gap)
    : [
        { role: 'system', content: CONTINUE },
        { role: 'user', content: prompt },
      ]
}

function gapMessages({ before, after }: Gap): JsonObject[] {
  return [
    { role: 'system', content: FILL },
    { role: 'user', content: `<before>${before}</before>\n<after>${after}</after>` },
  ]
}

const SETTINGS = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'stop',
  'user',
] as const

function settings(request: Pick<CompletionsRequest, (typeof SETTINGS)[number]>): JsonObject {
  return Object.fromEntries(
    SETTINGS.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
}
